import GodwitUI
import GodwitCore
import GodwitTesting

/// A list on a server that gets shorter and longer while it is read, in pages of four by cursor, offset, number or link.
struct ShelfServer: Sendable {
    static let pageSize = 4

    let rows: Watched<[Int]>
    let mock: MockTransport
    let api: APIClient

    init(_ count: Int = 40) {
        let rows = Watched(Array(0..<count))
        self.rows = rows
        mock = MockTransport { request in
            await Task.yield()
            return rows.update { Self.answer(request, &$0) }
        }
        api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.retry.maximumAttempts = 1
            $0.cache = .off
        }
    }

    /// The pages that were asked for.
    var asked: [String] { mock.requests.filter { $0.method == .get }.map { $0.target } }

    private static func answer(_ request: MockRequest, _ rows: inout [Int]) -> MockResponse {
        let id = request.path.split(separator: "/").dropFirst().first.flatMap { Int($0) }
        switch (request.method, id) {
        case (.delete, let id?):
            rows.removeAll { $0 == id }
            return .status(.noContent)
        case (.put, let id?):
            rows.insert(id, at: 0)
            return .json(Row(id: id))
        default: return page(request, rows)
        }
    }

    private static func page(_ request: MockRequest, _ rows: [Int]) -> MockResponse {
        let start = start(request, rows)
        let items = rows.dropFirst(start).prefix(pageSize)
        let end = start + pageSize
        let next = end < rows.count ? items.last.map(String.init) : nil
        var response = MockResponse.json(RowPage(items, next: next))
        if end < rows.count { response.fields[.link] = "</rows?offset=\(end)>; rel=\"next\"" }
        return response
    }

    private static func start(_ request: MockRequest, _ rows: [Int]) -> Int {
        if let offset = request.queryValue("offset").flatMap({ Int($0) }) { return offset }
        if let page = request.queryValue("page").flatMap({ Int($0) }) { return (page - 1) * pageSize }
        guard let id = request.queryValue("after").flatMap({ Int($0) }) else { return 0 }
        return rows.firstIndex { place($0) > place(id) } ?? rows.count
    }

    /// Rows that are added stand at the start, the newest first.
    private static func place(_ id: Int) -> Int { id < 1000 ? id : -id }
}

/// How the list is read.
enum ShelfPaging: CaseIterable {
    case cursor, offset, number, link, offsetSource, numberSource

    @MainActor
    func list(_ queries: QueryStore, _ server: ShelfServer) -> PageLoader<Row> {
        switch self {
        case .cursor: PageLoader(queries, .cursor { .rows(after: $0) })
        case .offset: PageLoader(queries, .offsets(limit: ShelfServer.pageSize) { .rows(at: $0) })
        case .number: PageLoader(queries, .numbers { .rows(page: $0) })
        case .link: PageLoader(queries, .links(from: .rows(after: nil)))
        case .offsetSource:
            PageLoader(
                .offsets(limit: ShelfServer.pageSize) { [api = server.api] in try await api.send(.rows(at: $0)) })
        case .numberSource: PageLoader(.numbers { [api = server.api] in try await api.send(.rows(page: $0)) })
        }
    }
}

extension Endpoint {
    static func rows(at offset: Int) -> Endpoint<RowPage> { .get("rows", query: ["offset": String(offset)]) }
    static func rows(page: Int) -> Endpoint<RowPage> { .get("rows", query: ["page": String(page)]) }
    static func removeRow(_ id: Int) -> Endpoint<Void> { .delete("rows/\(id)") }
    static func addRow(_ id: Int) -> Endpoint<Row> { .put("rows/\(id)", body: .json(["id": id])) }
}
