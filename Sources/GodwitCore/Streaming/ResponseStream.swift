/// The body of a response as it arrives: as chunks, lines, bytes or JSON values.
///
/// ```swift
/// let stream = api.stream(.export)
/// for try await chunk in stream { … }                                    // Data, as it arrives
/// for try await line in stream.lines { … }                               // String
/// for try await record in stream.jsonLines(of: Record.self) { … }        // one value per line
/// for try await record in stream.elements(of: Record.self) { … }         // one value per element of an array
/// ```
///
/// Each loop sends the request, and checks the status before its first element. Leaving the loop ends the transfer. Only
/// unread chunks are kept in memory.
public struct ResponseStream: AsyncSequence, Sendable {
    public typealias Element = Data
    public typealias Failure = NetworkError

    private let coding: JSONCoding
    private let open: @Sendable () async throws(NetworkError) -> HTTPResponse

    init(coding: JSONCoding, open: @escaping @Sendable () async throws(NetworkError) -> HTTPResponse) {
        self.coding = coding
        self.open = open
    }

    /// Sends the request and returns the accepted response. Its body can be read once:
    ///
    /// ```swift
    /// let response = try await api.stream(.export).response()
    /// let total = response.head.fields["X-Total-Count"]
    /// for try await line in response.body.lines { … }
    /// ```
    ///
    /// Releasing the response ends the transfer.
    ///
    /// - Throws: What a call throws, also for a status that is not accepted.
    public func response() async throws(NetworkError) -> HTTPResponse {
        try await open()
    }

    /// Decodes each line as a JSON value with the client's coding. Blank lines are skipped.
    ///
    /// A line that can't be decoded throws `.decoding` with the number of the value.
    ///
    /// - Parameters:
    ///   - type: The type of one value.
    ///   - limit: The maximum length of a line in bytes; a longer one throws `.tooLarge`. 16 MiB by default.
    public func jsonLines<Value: Decodable>(
        of type: Value.Type, limit: Int = JSONLines<Self, Value>.defaultLimit
    ) -> JSONLines<Self, Value> {
        JSONLines(self, coding: coding, limit: limit)
    }

    /// Decodes the elements of an array in a JSON document while it arrives, with the client's coding.
    ///
    /// ```swift
    /// let export = api.stream(.export)
    /// for try await article in export.elements(of: Article.self, at: "data.items") { … }
    /// for try await article in export.elements(of: Article.self, at: "results[0].rows") { … }
    /// for try await article in export.elements(of: Article.self) { … }              // the document is the array
    /// ```
    ///
    /// An element that can't be decoded throws `.decoding` with its path, such as `data.items[3].author_id`. A missing
    /// array throws `.decoding` at the end of the document.
    ///
    /// - Parameters:
    ///   - type: The type of one element.
    ///   - path: The keys and indices on the way to the array. Empty (the default) means that the document is the array.
    ///     A key that contains `.` or `[` is written in brackets and quotes: `['a.b'].items`.
    ///   - limit: The maximum size of an element in bytes; a larger one throws `.tooLarge`. 16 MiB by default.
    public func elements<Value: Decodable>(
        of type: Value.Type, at path: String = "", limit: Int = JSONElements<Self, Value>.defaultLimit
    ) -> JSONElements<Self, Value> {
        JSONElements(self, path: path, coding: coding, limit: limit)
    }

    /// Starts a loop with its own request.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(state: .closed(open))
    }

    /// Sends the request at the first ``next()``.
    public struct AsyncIterator: AsyncIteratorProtocol, CallReading {
        enum State {
            case closed(@Sendable () async throws(NetworkError) -> HTTPResponse)
            case reading(HTTPBody.AsyncIterator)
            case done
        }

        var state: State
        /// Decoders ask it: what they quote of the body can repeat a secret.
        var sent: SentSecrets?

        /// The next chunk, never empty; `nil` at the end. The first call sends the request. An error ends the stream.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Data? {
            if case .closed(let open) = state {
                state = .done
                let response = try await open()
                sent = SentSecrets(response.request)
                state = .reading(response.body.makeAsyncIterator())
            }
            guard case .reading(var body) = state else { return nil }
            // The only reference, so that releasing the iterator ends the transfer.
            state = .done
            guard let chunk = try await body.next(isolation: actor) else { return nil }
            state = .reading(body)
            return chunk
        }

        public mutating func next() async throws(NetworkError) -> Data? {
            try await next(isolation: nil)
        }
    }
}

extension NetworkError {
    /// Adds the number of the value, from 1, to a decoding error.
    func inValue(_ number: Int) -> NetworkError {
        guard case .decoding(let failure) = kind else { return self }
        var error = self
        error.kind = .decoding(
            .init(path: failure.path, reason: "\(failure.reason) (value \(number))", snippet: failure.snippet))
        return error
    }
}
