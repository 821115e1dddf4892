import Godwit
import GodwitTesting

/// A page of a list in a response.
nonisolated struct Page<Item: Encodable & Sendable>: Encodable {
    let items: [Item]
    let page: Int
    let perPage: Int
    let total: Int
}

/// The requested page: `page` from 1, and `per_page` from 1 to 100.
nonisolated struct Paging {
    let page: Int
    let size: Int
    private let request: MockRequest

    init(_ request: MockRequest) throws(Problem) {
        self.request = request
        page = try Self.number("page", in: 1...1_000_000, otherwise: 1, of: request)
        size = try Self.number("per_page", in: 1...100, otherwise: 20, of: request)
    }

    /// The places of the page's items.
    var range: Range<Int> { (page - 1) * size..<page * size }

    /// The page of a list.
    func answer<Item: Encodable & Sendable>(_ all: [Item]) -> MockResponse {
        answer(Array(all[range.clamped(to: all.indices)]), total: all.count)
    }

    /// The page, with the links to adjacent pages in `Link` (RFC 8288).
    func answer<Item: Encodable & Sendable>(_ items: [Item], total: Int) -> MockResponse {
        let response = MockResponse.coded(Page(items: items, page: page, perPage: size, total: total))
        let last = max(1, (total + size - 1) / size)
        var links = [link("first", 1), link("last", last)]
        if page > 1 { links.append(link("prev", min(page - 1, last))) }
        if page < last { links.append(link("next", page + 1)) }
        return response.field(.link, links.joined(separator: ", "))
    }

    private func link(_ relation: String, _ number: Int) -> String {
        let kept = (request.query ?? "").split(separator: "&").filter {
            !$0.hasPrefix("page=") && !$0.hasPrefix("per_page=")
        }
        let query = (kept.map(String.init) + ["page=\(number)", "per_page=\(size)"]).joined(separator: "&")
        return "<\(request.path)?\(query)>; rel=\"\(relation)\""
    }

    static func number(
        _ name: String, in range: ClosedRange<Int>, otherwise standard: Int, of request: MockRequest
    ) throws(Problem) -> Int {
        guard let text = request.queryValue(name) else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw Problem.malformed("\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
