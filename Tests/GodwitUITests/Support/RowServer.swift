import GodwitCore
import GodwitTesting

/// A list in pages of ten, on a mock in the transport's place, which answers when the test lets it.
struct RowServer: Sendable {
    let gate = Gate()
    let mock: MockTransport
    let api: APIClient

    /// - Parameter page: The page behind a cursor: the number of the page, from 0.
    init(
        pageCount: Int = 5,
        page: @escaping @Sendable (_ number: Int, _ call: Int) throws -> RowPage = { number, _ in
            RowPage(number * 10..<(number + 1) * 10, next: "\(number + 1)")
        }
    ) {
        mock = MockTransport { [gate] request in
            let call = try await gate.pass()
            let number = request.queryValue("after").flatMap { Int($0) } ?? 0
            let page = try page(number, call)
            return .json(RowPage(page.items.map(\.id), next: number + 1 < pageCount ? page.nextCursor : nil))
        }
        api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.retry.maximumAttempts = 1 }
    }

    /// Lets so many requests through, those to come included.
    func open(_ count: Int) {
        for number in 1...count { gate.open(number) }
    }

    var pages: Pages<RowPage> { api.pages(.cursor { .rows(after: $0) }) }

    /// The cursors that were asked for, in order.
    var asked: [String] { mock.requests.map { $0.queryValue("after") ?? "first" } }
}
