/// The content of a response as it arrives: chunks, or what they are made of.
///
/// ```swift
/// let stream = api.stream(.export)
/// for try await chunk in stream { … }                                    // Data, as it comes
/// for try await line in stream.lines { … }                               // String
/// for try await record in stream.jsonLines(of: Record.self) { … }
/// ```
///
/// Each loop sends the request, checks the status before its first element, and ends the transfer when it is left. At
/// any length no more is in memory than the reader has not yet taken.
public struct ResponseStream: AsyncSequence, Sendable {
    public typealias Element = Data
    public typealias Failure = NetworkError

    private let coding: JSONCoding
    private let open: @Sendable () async throws(NetworkError) -> HTTPResponse

    init(coding: JSONCoding, open: @escaping @Sendable () async throws(NetworkError) -> HTTPResponse) {
        self.coding = coding
        self.open = open
    }

    /// Sends the request and returns the accepted response, whose body is then to be read, once:
    ///
    /// ```swift
    /// let response = try await api.stream(.export).response()
    /// let total = response.head.fields["X-Total-Count"]
    /// for try await line in response.body.lines { … }
    /// ```
    ///
    /// Dropping the response ends the transfer.
    ///
    /// Throws what a call throws, a status that is not accepted included.
    public func response() async throws(NetworkError) -> HTTPResponse {
        try await open()
    }

    /// The lines as JSON values, read as the client's coding says.
    ///
    /// - Parameter limit: The most bytes of one line; a longer one throws `.tooLarge`. 16 MiB by default.
    ///
    /// Lines of nothing but blanks are passed over. A line that is no such value throws `.decoding`, which counts it.
    public func jsonLines<Value: Decodable>(
        of type: Value.Type, limit: Int = JSONLines<Self, Value>.defaultLimit
    ) -> JSONLines<Self, Value> {
        JSONLines(self, coding: coding, limit: limit)
    }

    /// Starts a reading that sends the request anew.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(state: .closed(open))
    }

    /// Sends the request at the first ``next()``.
    public struct AsyncIterator: AsyncIteratorProtocol {
        enum State {
            case closed(@Sendable () async throws(NetworkError) -> HTTPResponse)
            case reading(HTTPBody.AsyncIterator)
            case done
        }

        var state: State

        /// The next chunk, never empty; nil at the end.
        ///
        /// The first call sends the request. Throws ``NetworkError``; after an error the stream is at its end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Data? {
            if case .closed(let open) = state {
                state = .done
                state = .reading(try await open().body.makeAsyncIterator())
            }
            guard case .reading(var body) = state else { return nil }
            // Held in one place only, so that the transfer ends when this iterator goes.
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
    /// A decoding error that names the value of the stream it happened in, counted from 1.
    func inValue(_ number: Int) -> NetworkError {
        guard case .decoding(let failure) = kind else { return self }
        var error = self
        error.kind = .decoding(
            .init(path: failure.path, reason: "\(failure.reason) (value \(number))", snippet: failure.snippet))
        return error
    }
}
