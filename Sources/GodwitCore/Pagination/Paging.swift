import GodwitSupport

/// How to get from one page of a list to the next.
///
/// ```swift
/// api.pages(.cursor { .articles(after: $0) })
/// api.pages(.numbers { .articles(page: $0) })
/// api.pages(.offsets(limit: 50) { .articles(offset: $0, limit: 50) })
/// api.pages(.links(from: .articles()))                  // Link: <…>; rel="next"
/// ```
public struct Paging<Page: ElementPage & Sendable>: Sendable {
    /// The request for a page, and how to find the next one in its response.
    struct Place: Sendable {
        /// Identifies the page in its list.
        let key: String
        let endpoint: Endpoint<Page>
        /// Replaces the endpoint's URL, if set.
        var url: HTTPURL?
        let order: PageOrder<Place>
        /// The next place; `nil` at the end.
        let next: @Sendable (Response<Page>) throws(NetworkError) -> Place?
    }

    let first: Place

    /// Uses the cursor in each page.
    ///
    /// - Parameter endpoint: Makes the endpoint of a page. The cursor of the first page is `nil`.
    public static func cursor(_ endpoint: @escaping @Sendable (_ cursor: String?) -> Endpoint<Page>) -> Paging
    where Page: CursorPage {
        cursor(next: { $0.nextCursor }, endpoint)
    }

    /// Uses a cursor that a closure finds in each page.
    ///
    /// - Parameters:
    ///   - next: Returns the cursor of the next page; `nil` or empty at the end.
    ///   - endpoint: Makes the endpoint of a page. The cursor of the first page is `nil`.
    public static func cursor(
        next: @escaping @Sendable (Page) -> String?,
        _ endpoint: @escaping @Sendable (_ cursor: String?) -> Endpoint<Page>
    ) -> Paging {
        @Sendable func place(_ cursor: String?) -> Place {
            Place(key: cursor ?? "", endpoint: endpoint(cursor), order: .stable) { response throws(NetworkError) in
                next(response.value).flatMap { $0.isEmpty ? nil : place($0) }
            }
        }
        return Paging(first: place(nil))
    }

    /// Uses page numbers.
    ///
    /// - Parameters:
    ///   - first: The number of the first page.
    ///   - isLast: Returns whether a page is the last. By default an empty page is.
    ///   - endpoint: Makes the endpoint of a page.
    public static func numbers(
        from first: Int = 1, until isLast: @escaping @Sendable (Page) -> Bool = { $0.items.isEmpty },
        _ endpoint: @escaping @Sendable (_ number: Int) -> Endpoint<Page>
    ) -> Paging {
        @Sendable func place(_ number: Int) -> Place {
            Place(key: String(number), endpoint: endpoint(number), order: .pages) { response throws(NetworkError) in
                // No number follows the largest.
                isLast(response.value) || number == .max ? nil : place(number + 1)
            }
        }
        return Paging(first: place(first))
    }

    /// Uses the number of elements before the page. A page with fewer than `limit` elements is the last.
    ///
    /// - Parameters:
    ///   - limit: The server's page size.
    ///   - endpoint: Makes the endpoint of a page.
    public static func offsets(
        limit: Int, _ endpoint: @escaping @Sendable (_ offset: Int) -> Endpoint<Page>
    ) -> Paging {
        @Sendable func place(_ offset: Int) -> Place {
            let order = PageOrder<Place>.elements { place(max(offset - $0, 0)) }
            return Place(key: String(offset), endpoint: endpoint(offset), order: order) {
                response throws(NetworkError) in
                let count = response.value.items.count
                return count < max(limit, 1) ? nil : place(offset.saturatingAdding(count))
            }
        }
        return Paging(first: place(0))
    }

    /// Uses the `Link` with the relation `next` in each response (RFC 8288).
    ///
    /// A link to another origin throws `.invalidResponse`, as the endpoint's fields must not be sent there.
    ///
    /// - Parameter endpoint: The first page. The others are requested with its method, fields and options.
    public static func links(from endpoint: Endpoint<Page>) -> Paging {
        following(endpoint) { response throws(InvalidURL) in
            try response.head.fields.link(rel: "next", relativeTo: response.request.url)
        }
    }

    /// Uses the URL of the next page in each page, such as `next` or `@odata.nextLink`.
    ///
    /// A URL with another origin throws `.invalidResponse`, as the endpoint's fields must not be sent there.
    ///
    /// - Parameters:
    ///   - endpoint: The first page. The others are requested with its method, fields and options.
    ///   - next: Returns the URL of the next page, which may be relative to the page's own; `nil` or empty at the end.
    public static func urls(
        from endpoint: Endpoint<Page>, next: @escaping @Sendable (Page) -> String?
    ) -> Paging {
        following(endpoint) { response throws(InvalidURL) in
            guard let text = next(response.value), !text.isEmpty else { return nil }
            return try response.request.url.resolving(text)
        }
    }

    /// Uses the URL of the next page in a header field of each response, such as `Next-Page`.
    ///
    /// A URL with another origin throws `.invalidResponse`, as the endpoint's fields must not be sent there.
    ///
    /// - Parameters:
    ///   - endpoint: The first page. The others are requested with its method, fields and options.
    ///   - field: Its value is the URL, which may be relative to the page's own; missing or empty at the end. For `Link` use
    ///     ``links(from:)``.
    public static func urls(from endpoint: Endpoint<Page>, in field: HTTPField.Name) -> Paging {
        following(endpoint) { response throws(InvalidURL) in
            guard let text = response.head.fields[field], !text.isEmpty else { return nil }
            return try response.request.url.resolving(text)
        }
    }

    private static func following(
        _ endpoint: Endpoint<Page>, _ next: @escaping @Sendable (Response<Page>) throws(InvalidURL) -> HTTPURL?
    ) -> Paging {
        @Sendable func place(_ url: HTTPURL?) -> Place {
            // A link may have the number of a page, or an offset.
            Place(key: url?.absoluteString ?? "", endpoint: endpoint, url: url, order: .pages) {
                response throws(NetworkError) in try response.link(next).map { place($0) }
            }
        }
        return Paging(first: place(nil))
    }
}

extension Response {
    /// The URL of the next page, if it may be followed.
    fileprivate func link(
        _ next: (Response) throws(InvalidURL) -> HTTPURL?
    ) throws(NetworkError) -> HTTPURL? {
        let link: HTTPURL?
        do throws(InvalidURL) {
            link = try next(self)
        } catch {
            throw fault("the link to the next page is not valid: \(error.reason)")
        }
        guard let link else { return nil }
        guard link.isSameOrigin(as: request.url) else {
            throw fault("the link to the next page has another origin, \(link.origin)")
        }
        return link
    }

    private func fault(_ reason: String) -> NetworkError {
        NetworkError(.invalidResponse(reason: reason), phase: .validating, request: request, response: head)
    }
}

/// A page with the cursor of the next one.
///
/// ```swift
/// struct ArticlePage: Decodable, CursorPage {
///     let items: [Article]
///     let nextCursor: String?
/// }
/// ```
public protocol CursorPage: ElementPage {
    /// The cursor of the next page; `nil` or empty on the last page.
    var nextCursor: String? { get }
}

/// A page of a list.
///
/// ```swift
/// struct ArticlePage: Decodable, ElementPage {
///     let items: [Article]
///     let total: Int
/// }
/// ```
///
/// An array is also a page.
public protocol ElementPage: SendableMetatype {
    /// The type of an element.
    associatedtype Item

    /// The elements of this page in order.
    var items: [Item] { get }
}

extension Array: ElementPage {
    /// The array itself.
    public var items: [Element] { self }
}

/// The position of a loop over pages. A pure value.
struct PageWalk<Page: ElementPage & Sendable>: Sendable {
    /// The place to load next; `nil` at the end.
    private(set) var place: Paging<Page>.Place?
    /// The error to throw after the last page.
    private(set) var failure: NetworkError?
    private var visited: Set<String> = []
    private var trail = PageTrail<Paging<Page>.Place>()

    init(_ paging: Paging<Page>) {
        place = paging.first
    }

    /// Moves to the next page.
    mutating func advance(_ response: Response<Page>) {
        guard let current = place else { return }
        // With links, the first page's URL is its key.
        visited.formUnion([current.key, response.request.url.absoluteString])
        trail.add(current, current.order, count: response.value.items.count)
        place = nil
        do throws(NetworkError) {
            guard let next = try current.next(response) else { return }
            guard !visited.contains(next.key) else {
                throw NetworkError(
                    .invalidResponse(reason: "the server leads back to a page that was read"), phase: .validating,
                    request: response.request, response: response.head)
            }
            place = next
        } catch {
            failure = error
        }
    }

    /// Moves back, because the server removed elements that were read.
    mutating func moveBack(by removed: Int) {
        guard let current = place, let earlier = trail.place(current.order, removed: removed) else { return }
        place = earlier
        // The pages after it were read before, and are read again.
        visited = []
    }
}

/// A page that is loaded ahead. Releasing it cancels the request.
final class PageAhead<Page: ElementPage & Sendable>: Sendable {
    private let task: Task<Result<Response<Page>, NetworkError>, Never>

    init(_ place: Paging<Page>.Place, _ api: APIClient, _ stamp: AccountStamp) {
        task = Task {
            await Result.catching { () async throws(NetworkError) in try await api.response(for: place, stamp) }
        }
    }

    deinit {
        task.cancel()
    }

    func response() async throws(NetworkError) -> Response<Page> {
        try await task.outcome()
    }
}

extension Paging {
    /// The endpoint of the first page, which identifies the list.
    package var firstEndpoint: Endpoint<Page> { first.endpoint }
}
