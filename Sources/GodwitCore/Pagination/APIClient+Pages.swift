extension APIClient {
    /// The pages of a list, as an asynchronous sequence.
    ///
    /// ```swift
    /// for try await article in api.pages(.cursor { .articles(after: $0) }).elements { print(article.title) }
    /// ```
    ///
    /// Nothing is sent until a loop asks for the first page.
    ///
    /// - Parameter paging: How to go from one page to the next.
    public func pages<Page: ElementPage & Sendable>(_ paging: Paging<Page>) -> Pages<Page> {
        Pages(self, paging)
    }

    /// - Parameter stamp: Whose list it is.
    func response<Page: ElementPage & Sendable>(
        for place: Paging<Page>.Place, _ stamp: AccountStamp
    ) async throws(NetworkError) -> Response<Page> {
        var request = try request(for: place.endpoint)
        request.belong(to: stamp)
        if let url = place.url { request.url = url }
        return try await response(for: place.endpoint, by: request)
    }
}

extension HTTPRequest {
    /// Binds the request to the account that something longer was started for, if it is sent on behalf of one.
    mutating func belong(to stamp: AccountStamp) {
        if options.authentication == .required { options.account = stamp }
    }
}
