/// How to go from one page of a list to the next.
///
/// ```swift
/// api.pages(.cursor { .articles(after: $0) })
/// api.pages(.numbers { .articles(page: $0) })
/// api.pages(.offsets(limit: 50) { .articles(offset: $0, limit: 50) })
/// api.pages(.links(from: .articles()))                  // Link: <…>; rel="next"
/// ```
public struct Paging<Page: ElementPage & Sendable>: Sendable {
    /// One page: how it is asked for, and where its answer leads.
    struct Place: Sendable {
        /// What no two pages of a list have in common.
        let key: String
        let endpoint: Endpoint<Page>
        /// Where the page is, if that is not for the endpoint to say.
        var url: HTTPURL?
        /// The place after this one; nil at the end.
        let next: @Sendable (Response<Page>) throws(NetworkError) -> Place?
    }

    let first: Place

    /// By a cursor that each page has for the next one.
    ///
    /// - Parameter endpoint: Makes the endpoint of a page; the first one's cursor is nil.
    public static func cursor(_ endpoint: @escaping @Sendable (_ cursor: String?) -> Endpoint<Page>) -> Paging
    where Page: CursorPage {
        cursor(next: { $0.nextCursor }, endpoint)
    }

    /// By a cursor that is found in each page.
    ///
    /// - Parameters:
    ///   - next: Finds the cursor of the next page; nil or empty at the end.
    ///   - endpoint: Makes the endpoint of a page; the first one's cursor is nil.
    public static func cursor(
        next: @escaping @Sendable (Page) -> String?,
        _ endpoint: @escaping @Sendable (_ cursor: String?) -> Endpoint<Page>
    ) -> Paging {
        @Sendable func place(_ cursor: String?) -> Place {
            Place(key: cursor ?? "", endpoint: endpoint(cursor)) { response throws(NetworkError) in
                next(response.value).flatMap { $0.isEmpty ? nil : place($0) }
            }
        }
        return Paging(first: place(nil))
    }

    /// By the number of the page.
    ///
    /// - Parameters:
    ///   - first: The number of the first page.
    ///   - isLast: Whether no page follows; an empty page is the last one by default.
    ///   - endpoint: Makes the endpoint of a page.
    public static func numbers(
        from first: Int = 1, until isLast: @escaping @Sendable (Page) -> Bool = { $0.items.isEmpty },
        _ endpoint: @escaping @Sendable (_ number: Int) -> Endpoint<Page>
    ) -> Paging {
        @Sendable func place(_ number: Int) -> Place {
            Place(key: String(number), endpoint: endpoint(number)) { response throws(NetworkError) in
                // The largest number has none after it.
                isLast(response.value) || number == .max ? nil : place(number + 1)
            }
        }
        return Paging(first: place(first))
    }

    /// By how many elements come before the page. One with fewer than `limit` is the last.
    ///
    /// - Parameters:
    ///   - limit: How many elements the server puts into a page.
    ///   - endpoint: Makes the endpoint of a page.
    public static func offsets(
        limit: Int, _ endpoint: @escaping @Sendable (_ offset: Int) -> Endpoint<Page>
    ) -> Paging {
        @Sendable func place(_ offset: Int) -> Place {
            Place(key: String(offset), endpoint: endpoint(offset)) { response throws(NetworkError) in
                let count = response.value.items.count
                return count < max(limit, 1) ? nil : place(offset.saturatingAdding(count))
            }
        }
        return Paging(first: place(0))
    }

    /// By the link of each answer whose relation is `next` (RFC 8288).
    ///
    /// A link to another origin throws `.invalidResponse`: what the endpoint sends is not for others.
    ///
    /// - Parameter endpoint: The first page. The others are asked for with its method, fields and options.
    public static func links(from endpoint: Endpoint<Page>) -> Paging {
        @Sendable func place(_ url: HTTPURL?) -> Place {
            Place(key: url?.absoluteString ?? "", endpoint: endpoint, url: url) { response throws(NetworkError) in
                try response.nextLink().map { place($0) }
            }
        }
        return Paging(first: place(nil))
    }
}

extension Response {
    fileprivate func nextLink() throws(NetworkError) -> HTTPURL? {
        let link: HTTPURL?
        do throws(InvalidURL) {
            link = try head.fields.link(rel: "next", relativeTo: request.url)
        } catch {
            throw fault("the link to the next page cannot be read: \(error.reason)")
        }
        guard let link else { return nil }
        guard link.isSameOrigin(as: request.url) else {
            throw fault("the next page is said to be at another origin, \(link.origin)")
        }
        return link
    }

    private func fault(_ reason: String) -> NetworkError {
        NetworkError(.invalidResponse(reason: reason), phase: .validating, request: request, response: head)
    }
}

/// A page that names the one after it.
///
/// ```swift
/// struct ArticlePage: Decodable, CursorPage {
///     let items: [Article]
///     let nextCursor: String?
/// }
/// ```
public protocol CursorPage: ElementPage {
    /// What the next page is asked for with; nil or empty on the last page.
    var nextCursor: String? { get }
}

/// A part of a list that a server gives out in pages.
///
/// ```swift
/// struct ArticlePage: Decodable, ElementPage {
///     let items: [Article]
///     let total: Int
/// }
/// ```
///
/// An array is a page too.
public protocol ElementPage: SendableMetatype {
    /// What the list is of.
    associatedtype Item

    /// The elements of this page, in their order.
    var items: [Item] { get }
}

extension Array: ElementPage {
    /// The array itself.
    public var items: [Element] { self }
}

/// Where a reader of pages stands: a value without a network.
struct PageWalk<Page: ElementPage & Sendable>: Sendable {
    /// The place to load next; nil at the end.
    private(set) var place: Paging<Page>.Place?
    /// Why it does not go on, once the page before has been handed over.
    private(set) var failure: NetworkError?
    private var visited: Set<String> = []

    init(_ paging: Paging<Page>) {
        place = paging.first
    }

    /// A page is in: goes on to the next.
    mutating func advance(_ response: Response<Page>) {
        guard let current = place else { return }
        // Where a list goes by links, the first page has no key before it is read.
        visited.formUnion([current.key, response.request.url.absoluteString])
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
}

/// A page that is being loaded before it is asked for; let go of, it is cancelled.
final class PageAhead<Page: ElementPage & Sendable>: Sendable {
    private let task: Task<Result<Response<Page>, NetworkError>, Never>

    init(_ place: Paging<Page>.Place, _ api: APIClient, _ stamp: AccountStamp) {
        task = Task {
            do throws(NetworkError) {
                return .success(try await api.response(for: place, stamp))
            } catch {
                return .failure(error)
            }
        }
    }

    deinit {
        task.cancel()
    }

    func response() async throws(NetworkError) -> Response<Page> {
        try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }
}
