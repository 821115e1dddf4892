import Godwit

/// The bytes of an input of unknown length, as a body.
///
/// A few bytes are read into memory: the body then has a length, without which many servers read nothing, and can be sent
/// again after a redirect. More are streamed, once.
enum InputBody {
    case whole(Data)
    case long(beginning: Data, rest: any InputSource)

    /// More bytes than these are streamed.
    static let memoryLimit = 8 << 20

    /// Reads to the end, or to the limit.
    ///
    /// - Parameter onStart: Called when the first bytes are there, and at the end.
    init(reading source: any InputSource, onStart: () -> Void = {}) async throws(CommandFailure) {
        var data = Data()
        while data.count <= Self.memoryLimit {
            let chunk = try await source.next()
            onStart()
            guard let chunk else {
                self = .whole(data)
                return
            }
            data.append(chunk)
        }
        self = .long(beginning: data, rest: source)
    }

    /// All bytes, or the first.
    var beginning: Data {
        switch self {
        case .whole(let data), .long(let data, _): data
        }
    }

    var body: HTTPBody {
        switch self {
        case .whole(let data): .bytes(data)
        case .long(let beginning, let rest): .stream(once: PrefixedChunks(first: beginning, source: rest))
        }
    }

    func body(of type: MediaType) -> RequestBody { .stream(body, type: type) }
}

/// The rest of an input after its first bytes.
private struct PrefixedChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let first: Data
    let source: any InputSource

    struct AsyncIterator: AsyncIteratorProtocol {
        var first: Data?
        let source: any InputSource

        mutating func next() async throws -> Data? {
            if let first {
                self.first = nil
                return first
            }
            return try await source.read()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(first: first, source: source) }
}
