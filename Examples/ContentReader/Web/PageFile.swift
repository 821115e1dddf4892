import Godwit
import GodwitTesting

/// A file of the page. The files are in the program itself: a bundle would have to be installed with it.
nonisolated enum PageFile: String {
    case index = ""
    case style = "style.css"
    case parts = "parts.js"
    case list = "list.js"
    case article = "article.js"
    case form = "form.js"
    case main = "main.js"

    var response: MockResponse {
        switch self {
        case .index: .bytes(Data(PackageResources.index_html), contentType: "text/html; charset=utf-8")
        case .style: .bytes(Data(PackageResources.style_css), contentType: "text/css; charset=utf-8")
        case .parts: Self.script(PackageResources.parts_js)
        case .list: Self.script(PackageResources.list_js)
        case .article: Self.script(PackageResources.article_js)
        case .form: Self.script(PackageResources.form_js)
        case .main: Self.script(PackageResources.main_js)
        }
    }

    private static func script(_ bytes: [UInt8]) -> MockResponse {
        .bytes(Data(bytes), contentType: "text/javascript; charset=utf-8")
    }
}
