import BenchKit
import FoundationEssentials

/// A document and the type that it is decoded as.
struct BenchDocument {
    typealias Model = Codable & Equatable & SendableMetatype

    let data: Data
    let model: any Model.Type
    /// Whether the coders translate keys from and to snake case.
    let convertsSnakeCase: Bool

    init(_ model: any Model.Type, _ data: Data, convertsSnakeCase: Bool = false) {
        self.model = model
        self.data = data
        self.convertsSnakeCase = convertsSnakeCase
    }

    init(_ model: any Model.Type, _ text: String, convertsSnakeCase: Bool = false) {
        self.init(model, Data(text.utf8), convertsSnakeCase: convertsSnakeCase)
    }

    /// A shape made in memory, or a file whose name says what it contains. Ends the program if it is neither.
    static func named(_ name: String) -> BenchDocument {
        if let shape = Shapes.document(named: name) { return shape }
        guard let model = models[fileName(of: name)] else { Program.fail("no document \(name)", status: 2) }
        guard let data = try? Data(contentsOf: URL(filePath: name)) else {
            Program.fail("can't read \(name)", status: 3)
        }
        return BenchDocument(model, data)
    }

    private static let models: [String: any Model.Type] = [
        "twitter.json": Twitter.SearchPage.self,
        "citm_catalog.json": Catalog.self,
        "github_events.json": [GitHub.Event].self,
        "canada.json": FeatureCollection.self,
        "100k.json": [Article].self,
        "1k.json": ShortArticle.self,
    ]

    private static func fileName(of path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }
}
