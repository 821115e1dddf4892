import GodwitCore
import GodwitTesting

/// A file of the page. The files are in the program itself: a bundle would have to be installed with it.
enum PageFile: String {
    case index = ""
    case style = "style.css"
    case list = "list.js"
    case detail = "detail.js"
    case bodies = "bodies.js"
    case export = "export.js"
    case values = "values.js"
    case main = "main.js"

    init?(_ path: String) {
        self.init(rawValue: path)
    }

    var response: MockResponse {
        switch self {
        case .index: .bytes(Data(PackageResources.index_html), contentType: "text/html; charset=utf-8")
        case .style: .bytes(Data(PackageResources.style_css), contentType: "text/css; charset=utf-8")
        case .list: Self.script(PackageResources.list_js)
        case .detail: Self.script(PackageResources.detail_js)
        case .bodies: Self.script(PackageResources.bodies_js)
        case .export: Self.script(PackageResources.export_js)
        case .values: Self.script(PackageResources.values_js)
        case .main: Self.script(PackageResources.main_js)
        }
    }

    private static func script(_ bytes: [UInt8]) -> MockResponse {
        .bytes(Data(bytes), contentType: "text/javascript; charset=utf-8")
    }
}
