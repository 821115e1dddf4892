import ContentReaderKit
import Godwit
import GodwitUI

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The rows, as a change of those sent before: `rows` are between the first `keep` and the last `tail` ones.
struct RowsPart: Encodable {
    struct Row: Encodable {
        let id: Int
        let title: String
        let tags: [String]
    }

    let keep: Int
    let rows: [Row]
    let tail: Int

    /// - Parameters:
    ///   - articles: The articles to show.
    ///   - former: Those sent before.
    ///   - known: How many of them are known to be the same at the beginning.
    init(_ articles: [Article], after former: [Article], known: Int) {
        let keep = Self.commonPrefix(articles, former, from: known)
        let limit = min(articles.count, former.count) - keep
        var tail = 0
        while tail < limit, articles[articles.count - 1 - tail] == former[former.count - 1 - tail] { tail += 1 }
        rows = articles[keep..<articles.count - tail].map { Row(id: $0.id, title: $0.title, tags: $0.tags) }
        (self.keep, self.tail) = (keep, tail)
    }

    /// How many articles are the same at the beginning of both.
    private static func commonPrefix(_ left: [Article], _ right: [Article], from known: Int) -> Int {
        let count = min(left.count, right.count)
        var start = min(known, count)
        // Blocks of identical bytes are the same without a look at the rows.
        while start < count {
            let end = min(start + 1024, count)
            if !hasSameBytes(left[start..<end], right[start..<end]) {
                while start < end, left[start] == right[start] { start += 1 }
                if start < end { return start }
            }
            start = end
        }
        return count
    }

    private static func hasSameBytes(_ left: ArraySlice<Article>, _ right: ArraySlice<Article>) -> Bool {
        left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                guard let one = left.baseAddress, let other = right.baseAddress else { return false }
                return memcmp(one, other, left.count) == 0
            }
        }
    }
}

/// How far the list is.
struct ListPart: Encodable {
    let isLoading: Bool
    let isRefreshing: Bool
    let isStale: Bool
    let hasMore: Bool
    let error: String?
    let search: String
    let nothingFound: String?
    let isSearching: Bool

    @MainActor init(_ screen: ArticleListScreen) {
        isSearching = screen.isSearching
        isLoading = screen.isSearching ? screen.search.state.isLoading : screen.list.isLoading
        isRefreshing = if case .refreshing = screen.list.state { true } else { false }
        isStale = screen.list.isStale && !screen.isSearching
        hasMore = screen.list.hasMore && !screen.isSearching
        error = (screen.isSearching ? screen.search.state.error : screen.list.error)?.userMessage
        search = screen.search.text
        nothingFound = screen.nothingFound
    }
}
