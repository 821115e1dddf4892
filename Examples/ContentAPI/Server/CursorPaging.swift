import Godwit
import GodwitTesting

/// The requested part of the list by cursor, newest first: `limit` from 1 to 100, and the `cursor` of the part before.
///
/// Unlike pages by number, no article is repeated or skipped if others are added or removed meanwhile.
nonisolated struct CursorPaging {
    private struct Part: Encodable {
        let items: [Article]
        let nextCursor: String?
        let total: Int
    }

    private let limit: Int
    private let last: Int?

    init(_ request: MockRequest) throws(Problem) {
        limit = try Paging.number("limit", in: 1...100, otherwise: 20, of: request)
        guard let cursor = request.queryValue("cursor") else {
            last = nil
            return
        }
        guard cursor.hasPrefix("b"), let id = Int(cursor.dropFirst()) else {
            throw Problem.malformed("cursor is not one of this list.")
        }
        last = id
    }

    func answer(from store: ContentStore) async -> MockResponse {
        let (items, hasMore, total) = await store.newest(limit, before: last)
        let next = hasMore ? items.last.map { "b\($0.id)" } : nil
        return .coded(Part(items: items, nextCursor: next, total: total))
    }
}
