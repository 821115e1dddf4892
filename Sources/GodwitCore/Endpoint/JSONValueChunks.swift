/// What surrounds the values of a streamed JSON body.
struct JSONFraming: Sendable {
    let contentType: String
    let opening: String
    /// Between two values.
    let separator: String
    /// After each value.
    let terminator: String
    let closing: String

    static let array = JSONFraming(
        contentType: "application/json", opening: "[", separator: ",", terminator: "", closing: "]")
    static let lines = JSONFraming(
        contentType: "application/x-ndjson", opening: "", separator: "", terminator: "\n", closing: "")
}

/// The chunks of a JSON body that is encoded value by value.
struct JSONValueChunks<Values: AsyncSequence>: AsyncSequence, Sendable where Values.Element: Encodable & Sendable {
    typealias Element = Data

    let framing: JSONFraming
    let coding: JSONCoding
    /// The size in bytes at which a chunk is sent, if more values follow. At least one value is.
    let blockSize: Int
    let make: @Sendable () -> Values

    func makeAsyncIterator() -> Iterator {
        Iterator(self)
    }

    struct Iterator: AsyncIteratorProtocol {
        private let framing: JSONFraming
        private let coding: JSONCoding
        private let blockSize: Int
        private var values: Values.AsyncIterator
        private var count = 0
        private var isDone = false

        fileprivate init(_ chunks: JSONValueChunks) {
            framing = chunks.framing
            coding = chunks.coding
            blockSize = chunks.blockSize
            values = chunks.make().makeAsyncIterator()
        }

        mutating func next() async throws -> Data? {
            try await next(isolation: nil)
        }

        /// The next values with what surrounds them.
        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            var block = Data()
            while !isDone {
                let value = try await values.next(isolation: actor)
                if count == 0 { block.append(contentsOf: framing.opening.utf8) }
                guard let value else {
                    isDone = true
                    block.append(contentsOf: framing.closing.utf8)
                    break
                }
                if count > 0 { block.append(contentsOf: framing.separator.utf8) }
                count &+= 1
                block.append(try encoded(value))
                block.append(contentsOf: framing.terminator.utf8)
                if block.count >= blockSize { break }
            }
            return block.isEmpty ? nil : block
        }

        private func encoded(_ value: Values.Element) throws(NetworkError) -> Data {
            do throws(NetworkError) {
                let data = try coding.encode(value)
                // A coding that indents would end the line. In strings, line breaks are escaped.
                return framing.terminator.isEmpty ? data : data.withoutLineBreaks
            } catch {
                throw error.encodingValue(count)
            }
        }
    }
}

/// The values of a sequence, for functions that take asynchronous ones.
struct SequenceValues<Base: Sequence>: AsyncSequence {
    typealias Failure = Never

    let base: Base

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.Iterator

        mutating func next() async -> Base.Element? { base.next() }
        mutating func next(isolation actor: isolated (any Actor)?) async -> Base.Element? { base.next() }
    }
}

extension Data {
    fileprivate var withoutLineBreaks: Data {
        let hasBreak = withUnsafeBytes { $0.contains { $0 == 0x0A || $0 == 0x0D } }
        return hasBreak ? filter { $0 != 0x0A && $0 != 0x0D } : self
    }
}

extension NetworkError {
    /// Adds the number of the value, from 1, to an encoding error. Earlier values may have been sent.
    fileprivate func encodingValue(_ number: Int) -> NetworkError {
        guard case .encoding(let reason) = kind else { return self }
        var error = self
        error.kind = .encoding(reason: "\(reason) (value \(number))")
        error.phase = .sending
        return error
    }
}
