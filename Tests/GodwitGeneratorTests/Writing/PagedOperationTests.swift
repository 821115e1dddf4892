@testable import GodwitGenerator
import Testing

@Suite("G2 Lists with pages")
struct PagedOperationTests {
    private func paged(
        _ kind: PagingPlan.Kind, _ items: [String], _ type: SwiftType, properties: [PropertyPlan] = []
    ) -> (operation: PagedOperation?, notes: [String], text: String) {
        var operation = LibraryPlan.books
        operation.response = .json(type)
        operation.paging = PagingPlan(kind: kind, items: items, item: .model(LibraryPlan.book), reason: "because")
        operation.parameters.append(LibraryPlan.parameter("limit", .optional(.integer), .query))
        var plan = LibraryPlan.only(operation)
        plan.models.append(LibraryPlan.structure("List", properties))
        let writer = PagesWriter(plan: plan, options: GeneratorOptions())
        return (writer.operations.first, writer.notes.map(\.text), writer.files.first?.text ?? "")
    }

    private let list = SwiftType.model(TypeName("List"))
    private let books = SwiftType.array(.model(LibraryPlan.book))

    @Test("G2 a cursor is read from the page, whose elements may be deep and optional")
    func cursor() {
        let properties = [
            LibraryPlan.property("data", .optional(books)), LibraryPlan.property("next", .optional(.string)),
        ]
        let result = paged(.cursor(parameter: "in", next: ["next"]), ["data"], list, properties: properties)
        #expect(result.text.contains(".cursor(next: { $0.next }) { place in"))
        #expect(result.text.contains("public var items: [Book] { data ?? [] }"))
        #expect(result.notes == ["because"])
    }

    @Test("G2 offsets end with a page that isn't full")
    func offsets() {
        let result = paged(.offsets(offset: "page", limit: "limit"), [], books)
        #expect(result.text.contains(".offsets(limit: limit ?? 1) { page in"))
        #expect(result.operation?.arguments.map(\.name) == ["in", "limit"])
    }

    @Test("G2 links need no parameter")
    func links() {
        let result = paged(.links, [], books)
        #expect(result.text.contains("pages(.links(from: .listBooks(page: page, in: `in`, limit: limit)))"))
    }

    @Test("G2 a property named items conforms as it is")
    func conformance() {
        let result = paged(.links, ["items"], list, properties: [LibraryPlan.property("items", books)])
        #expect(result.text.contains("nonisolated extension List: ElementPage {}"))
    }

    @Test("G2 pages whose elements can't be reached are noted")
    func omission() {
        let properties = [LibraryPlan.property("items", .optional(books))]
        for items in [["missing"], ["items"], []] {
            let result = paged(.links, items, list, properties: properties)
            #expect(result.operation == nil)
            #expect(result.notes == ["The pages of `listBooks` aren't a sequence: call it once for each page"])
            #expect(result.text.isEmpty)
        }
    }
}
