/// A piece of a multipart body: framing bytes, or a part's content.
enum MultipartSegment: Sendable {
    case frame(Data)
    case content(HTTPBody)

    /// The length in bytes; `nil` if unknown.
    var length: Int64? {
        switch self {
        case .frame(let data): Int64(data.count)
        case .content(let body): body.length
        }
    }
}

/// The chunks of a multipart body. Short pieces in memory are combined.
struct MultipartChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = NetworkError

    private static let blockSize = 16 << 10

    let segments: [MultipartSegment]

    func makeAsyncIterator() -> Iterator {
        Iterator(rest: segments[...])
    }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<MultipartSegment>
        private var content: HTTPBody.AsyncIterator?

        init(rest: ArraySlice<MultipartSegment>) {
            self.rest = rest
        }

        mutating func next() async throws(NetworkError) -> Data? {
            try await next(isolation: nil)
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
            while true {
                if let chunk = try await content?.next(isolation: actor) { return chunk }
                content = nil
                let block = takeBlock()
                if let block { return block }
                guard case .content(let body)? = rest.popFirst() else { return nil }
                content = body.makeAsyncIterator()
            }
        }

        /// The next pieces in memory, combined up to a block; `nil` if the next piece must be read.
        private mutating func takeBlock() -> Data? {
            var block = Data()
            while let bytes = rest.first?.bytes, block.count < MultipartChunks.blockSize {
                block.append(bytes)
                rest.removeFirst()
            }
            return block.isEmpty ? nil : block
        }
    }
}

extension MultipartSegment {
    fileprivate var bytes: Data? {
        switch self {
        case .frame(let data): data
        case .content(let body):
            if case .bytes(let data) = body.storage { data } else { nil }
        }
    }
}
