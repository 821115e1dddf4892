@testable import GodwitGenerator
import Testing

@Suite("G2 Routes of the mock server")
struct MockRoutePlanTests {
    private func operation(_ name: String, _ path: [OperationPlan.PathPart]) -> OperationPlan {
        var plan = LibraryPlan.operation(name, "GET", "/" + name, .none)
        plan.path = path
        return plan
    }

    @Test("G2 a fixed path comes before one with parameters, whatever their order in the document")
    func order() {
        let operations = [
            operation("one", [.text("books/"), .parameter("id")]),
            operation("cancel", [.text("books/"), .parameter("id"), .text(":cancel")]),
            operation("newest", [.text("books/newest")]),
        ]
        var plan = ClientPlan(name: "Library", title: "Library")
        plan.catalogs = [CatalogPlan(name: "Books", operations: operations)]
        let routes = MockRoutePlan.all(of: plan)
        #expect(routes.map(\.pattern) == ["/books/newest", "/books/:segment", "/books/:id"])
        #expect(routes.map(\.ending) == [nil, ":cancel", nil])
    }

    @Test("G2 of two operations with one path, that with a fixed query comes first")
    func fixedQuery() {
        var beta = operation("beta", [.text("books")])
        beta.fixedQuery = [.init(key: "beta", value: "true")]
        var plan = ClientPlan(name: "Library", title: "Library")
        plan.catalogs = [CatalogPlan(name: "Books", operations: [operation("books", [.text("books")]), beta])]
        #expect(MockRoutePlan.all(of: plan).map(\.operation.name) == ["beta", "books"])
    }
}
