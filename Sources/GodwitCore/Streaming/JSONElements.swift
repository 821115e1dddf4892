import GodwitJSON

extension AsyncSequence where Self: Sendable, Element == Data, Failure == NetworkError {
    /// Decodes the elements of an array in a JSON document while the document arrives.
    ///
    /// ```swift
    /// for try await article in response.body.elements(of: Article.self, at: "items", coding: JSONCoding()) { … }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of one element.
    ///   - path: The path to the array, as in ``ResponseStream/elements(of:at:limit:)``.
    ///   - coding: How keys, dates and bytes are encoded.
    ///   - limit: The maximum size of an element in bytes; a larger one throws `.tooLarge`. 16 MiB by default.
    public func elements<Value: Decodable>(
        of type: Value.Type, at path: String = "", coding: JSONCoding,
        limit: Int = JSONElements<Self, Value>.defaultLimit
    ) -> JSONElements<Self, Value> {
        JSONElements(self, path: path, coding: coding, limit: limit)
    }
}

/// The elements of an array in a JSON document, decoded one by one while the document arrives.
///
/// ```swift
/// for try await article in api.stream(.export).elements(of: Article.self, at: "items") { print(article.title) }
/// ```
///
/// Memory holds one element and the unread chunks, however large the document is. What surrounds the elements must be JSON
/// (RFC 8259), also after the array: a loop that ends without an error has read a complete document.
///
/// An element that can't be decoded throws `.decoding` with its path, such as `data.items[3].author_id`. A loop ends
/// there; an iterator continues with the next element.
public struct JSONElements<Chunks: AsyncSequence & Sendable, Value: Decodable>: AsyncSequence, Sendable
where Chunks.Element == Data, Chunks.Failure == NetworkError {
    public typealias Element = Value
    public typealias Failure = NetworkError

    /// The default maximum size of an element: 16 MiB.
    public static var defaultLimit: Int { 16 << 20 }

    private let chunks: Chunks
    private let path: String
    private let coding: JSONCoding
    private let limit: Int

    init(_ chunks: Chunks, path: String, coding: JSONCoding, limit: Int) {
        self.chunks = chunks
        self.path = path
        self.coding = coding
        self.limit = limit
    }

    /// Starts to read the chunks. Whether they can be read again depends on them.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks, path: path, coding: coding, limit: limit)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        /// `nil` at the end and after an error, so that the transfer ends.
        private var reader: ElementReader<Chunks.AsyncIterator>?
        /// Why the path is invalid.
        private var fault: NetworkError?
        private let path: String
        private let coding: JSONCoding
        private var count = 0

        fileprivate init(_ chunks: Chunks, path: String, coding: JSONCoding, limit: Int) {
            self.path = path
            self.coding = coding
            do throws(JSONElementError) {
                let splitter = try JSONElementSplitter(at: path, elementLimit: limit)
                reader = ElementReader(chunks.makeAsyncIterator(), splitter)
            } catch {
                fault = NetworkError(error)
            }
        }

        /// The next element; `nil` at the end of the document.
        ///
        /// - Throws: `.decoding` if an element isn't such a value, or if the document isn't JSON or has no array at the
        ///   path; `.tooLarge` if an element is too large; `.invalidRequest` if the path can't be parsed, before anything
        ///   is sent; and what the chunks throw.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Value? {
            if let fault = fault.take() { throw fault }
            // Taken while it works, so that an error releases it.
            guard var reader = reader.take(), let element = try await reader.next(isolation: actor) else { return nil }
            self.reader = reader
            defer { count &+= 1 }
            do throws(NetworkError) {
                return try coding.decode(Value.self, from: element)
            } catch {
                throw error.inElement(count, of: path).hidingSecrets(of: reader.sent)
            }
        }

        public mutating func next() async throws(NetworkError) -> Value? {
            try await next(isolation: nil)
        }
    }
}

/// Feeds chunks to a splitter until it has an element.
private struct ElementReader<Chunks: AsyncIteratorProtocol>
where Chunks.Element == Data, Chunks.Failure == NetworkError {
    private var chunks: Chunks
    private var splitter: JSONElementSplitter

    init(_ chunks: Chunks, _ splitter: JSONElementSplitter) {
        self.chunks = chunks
        self.splitter = splitter
    }

    /// The secrets of the call that is read.
    var sent: SentSecrets? { (chunks as? any CallReading)?.sent }

    /// The bytes of the next element; `nil` at the end of a complete document.
    mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
        while true {
            if let element = try element() { return element }
            guard let chunk = try await chunks.next(isolation: actor) else { break }
            splitter.append(chunk)
        }
        do throws(JSONElementError) {
            try splitter.finish()
        } catch {
            throw NetworkError(error)
        }
        return nil
    }

    private mutating func element() throws(NetworkError) -> Data? {
        do throws(JSONElementError) {
            return try splitter.next()
        } catch {
            throw NetworkError(error)
        }
    }
}

extension NetworkError {
    fileprivate init(_ error: JSONElementError) {
        switch error {
        case .invalidPath:
            self.init(.invalidRequest(reason: "\(error)"), phase: .building, underlying: error)
        case .tooLarge(let limit):
            self.init(.tooLarge(limit: Int64(limit)), phase: .receiving, underlying: error)
        case .syntax(let syntax):
            self.init(.decoding(.init(syntax)), phase: .decoding, underlying: error)
        case .missing(let path, let hint):
            self.init(.decoding(.init(path: path, reason: "missing; \(hint)")), phase: .decoding, underlying: error)
        case .typeMismatch(let path, let expected, let found):
            let reason = "expected \(expected), found \(found)"
            self.init(.decoding(.init(path: path, reason: reason)), phase: .decoding, underlying: error)
        }
    }

    /// Puts the path of an element before that of a decoding error. The position in the element is left out, as it isn't
    /// that in the document.
    fileprivate func inElement(_ index: Int, of array: String) -> NetworkError {
        guard case .decoding(let failure) = kind else { return self }
        let separator = failure.path.isEmpty || failure.path.hasPrefix("[") ? "" : "."
        let path = "\(array)[\(index)]\(separator)\(failure.path)"
        var error = self
        // The names on the way to the element may say that it is a secret.
        let isSecret = array.split(whereSeparator: { ".[]'\"".contains($0) }).contains {
            SecretName.isSecret(String($0))
        }
        error.kind = .decoding(
            isSecret
                ? .init(path: path, reason: "the value is not valid")
                : .init(path: path, reason: failure.reason, snippet: failure.snippet))
        return error
    }
}

extension NetworkError.DecodingFailure {
    fileprivate init(_ error: JSONSyntaxError) {
        if error.offset == 0, error.found == nil {
            self = .emptyBody
        } else {
            self.init(
                path: "", reason: "the body is not valid JSON: \(error.expectation)",
                position: (error.line, error.column))
        }
    }
}
