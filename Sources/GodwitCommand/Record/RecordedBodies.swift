import Godwit

/// Reads bodies of responses into memory, up to a limit, so that a recorder above it can record them. Longer bodies and
/// those that may never end are passed on as they come.
struct RecordedBodies: Middleware {
    /// The maximum number of bytes that are recorded.
    static let limit = 1 << 20

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        var response = try await next(call)
        guard Self.isBounded(response) else { return response }
        let (length, reader) = (response.body.length, BodyReader(response.body))
        var start = Data()
        while let chunk = try await reader.next() {
            start += chunk
            guard start.count <= Self.limit else {
                response.body = .stream(once: Continuation(start: start, rest: reader), length: length)
                return response
            }
        }
        response.body = .bytes(start)
        return response
    }

    /// Whether the body ends soon. A stream of events or lines may not.
    private static func isBounded(_ response: HTTPResponse) -> Bool {
        if let length = response.body.length { return length <= limit }
        guard let type = response.head.fields[.contentType].flatMap({ MediaType($0) }) else { return false }
        let names = ["html", "css", "javascript", "xml", "x-www-form-urlencoded"]
        return type.isJSON || names.contains(type.subtype) || type.subtype.hasSuffix("+xml")
    }
}

/// Reads a body in several steps.
private actor BodyReader {
    private var iterator: HTTPBody.AsyncIterator

    init(_ body: HTTPBody) {
        iterator = body.makeAsyncIterator()
    }

    func next() async throws(NetworkError) -> Data? {
        // A copy: an actor's state can't be accessed exclusively across a suspension.
        var current = iterator
        let chunk = try await current.next(isolation: self)
        iterator = current
        return chunk
    }
}

/// A body whose start was already read.
private struct Continuation: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = Data

    var start: Data?
    let rest: BodyReader

    init(start: Data, rest: BodyReader) {
        self.start = start
        self.rest = rest
    }

    func makeAsyncIterator() -> Continuation { self }

    mutating func next() async throws -> Data? {
        if let start {
            self.start = nil
            return start
        }
        return try await rest.next()
    }
}
