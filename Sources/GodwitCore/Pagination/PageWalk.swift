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
