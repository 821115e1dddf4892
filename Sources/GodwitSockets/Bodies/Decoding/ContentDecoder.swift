#if os(Linux)
package import GodwitCore

/// Decodes a response body's content codings (RFC 9110 section 8.4) as far as its output is asked for.
///
/// A truncated body is an error, and gzip may have several members (decision 003). What has been received decodes to up to a
/// million times as much with nested codings (decision 083).
package final class ContentDecoder {
    /// The value of `Accept-Encoding`.
    package static let codings = "gzip, deflate, br, zstd"
    /// The value of `Accept-Encoding` that offers a dictionary.
    package static let codingsWithDictionary = codings + (DictionaryStage.hasBrotli ? ", dcb, dcz" : ", dcz")
    /// The most bytes that one step decodes.
    package static let pieceSize = 32 << 10

    private struct Level {
        let stage: any DecodingStage
        /// What the stage has still to take. A later one's input is in the output of the one before.
        var input = UnsafeRawBufferPointer(start: nil, count: 0)

        var hasWork: Bool { !input.isEmpty || stage.hasOutput }
    }

    private var levels: [Level] = []
    /// A copy of the first level's input, if that outlived the call that brought it.
    private var kept: UnsafeMutableRawBufferPointer?
    private var balance = ExpansionBalance()

    /// Makes a decoder for the codings of a response; nil if there are none, or one is unknown: then the body stays encoded.
    ///
    /// - Parameter dictionary: What the request offered.
    package init?(codings value: String, dictionary: CompressionDictionary? = nil) {
        // Codings are listed in the order they were applied.
        let applied = ContentCodings(value).applied
        guard !applied.isEmpty, applied.count <= ContentCodings.mostUndone else { return nil }
        for coding in applied.reversed() {
            guard let stage = Self.stage(for: coding) ?? dictionary.flatMap({ Self.stage(for: coding, $0) }) else {
                return nil
            }
            levels.append(Level(stage: stage))
        }
    }

    deinit {
        kept?.deallocate()
    }

    /// Whether ``next(limit:)`` can decode more of what it has.
    package var hasInput: Bool {
        levels.contains(where: \.hasWork)
    }

    /// Whether the next step may take longer than a turn of the loop has. Call ``prepare()`` first then, on another thread.
    package var isSlow: Bool {
        guard let level = levels.last(where: \.hasWork) else { return false }
        return level.stage.isSlow(before: level.input)
    }

    /// Does the long part of the next step.
    package func prepare() {
        guard let index = levels.lastIndex(where: \.hasWork) else { return }
        levels[index].stage.prepare(&levels[index].input)
    }

    /// Whether the body may end here: no byte arrived, or every coding is complete.
    package var isComplete: Bool {
        levels.allSatisfy(\.stage.isComplete)
    }

    /// Adds a piece of the body, once the one before is decoded. Its bytes have to stay valid until ``keepInput()``.
    package func add(_ input: UnsafeRawBufferPointer) {
        levels[0].input = input
    }

    /// Copies what is left of the added piece.
    package func keepInput() {
        let input = levels[0].input
        guard kept == nil, !input.isEmpty else { return }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: input.count, alignment: 1)
        copy.copyMemory(from: input)
        kept = copy
        levels[0].input = UnsafeRawBufferPointer(copy)
    }

    /// Does one step: decodes at most `limit` bytes, which stay valid until the next step. May have none although there is input
    /// left.
    package func next(limit: Int) throws(DecodingFault) -> UnsafeRawBufferPointer {
        // From the end, so that no output is overwritten before the next stage has taken it.
        guard let index = levels.lastIndex(where: \.hasWork) else { return Self.nothing }
        let isLast = index == levels.count - 1
        let output = try step(at: index, limit: isLast ? min(limit, Self.pieceSize) : Self.pieceSize)
        if levels[0].input.isEmpty, let copy = kept.take() { copy.deallocate() }
        guard !isLast else {
            balance.deliver(output.count)
            return output
        }
        levels[index + 1].input = output
        guard balance.passOn(output.count) else {
            throw DecodingFault("a content coding expands to gigabytes that hold no content")
        }
        return Self.nothing
    }

    private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    private func step(at index: Int, limit: Int) throws(DecodingFault) -> UnsafeRawBufferPointer {
        let before = levels[index].input.count
        let output = try levels[index].stage.next(&levels[index].input, limit: limit)
        // A decoder that neither takes nor gives would be asked forever.
        guard !output.isEmpty || levels[index].input.count < before || !levels[index].hasWork else {
            throw DecodingFault.damaged
        }
        return output
    }

    private static func stage(for coding: String) -> (any DecodingStage)? {
        switch coding {
        case "gzip", "x-gzip": InflateStage(.gzip)
        case "deflate": InflateStage(.deflate)
        case "br": BrotliStage()
        case "zstd": ZstdStage()
        default: nil
        }
    }

    private static func stage(for coding: String, _ dictionary: CompressionDictionary) -> (any DecodingStage)? {
        switch coding {
        case "dcb" where DictionaryStage.hasBrotli: DictionaryStage(.brotli, dictionary)
        case "dcz": DictionaryStage(.zstd, dictionary)
        default: nil
        }
    }
}

extension HTTPRequest {
    /// The request with the fields that offer its dictionary. Without a dictionary if none is offered.
    package var offeringDictionary: HTTPRequest {
        guard dictionary != nil else { return self }
        var request = self
        let offer = dictionaryFields(codings: ContentDecoder.codingsWithDictionary)
        for field in offer { request.fields[field.name] = field.value }
        if offer.isEmpty { request.dictionary = nil }
        return request
    }
}

/// Compares what nested codings pass to each other with what comes out at the end.
///
/// Bytes between two codings are a compressed body, which is hardly larger than the body. An attacker's can be gigabytes of
/// empty blocks, from a few bytes, and would keep the decoder busy forever although no limit on the body is reached.
package struct ExpansionBalance {
    private var passed: Int64 = 0
    private var delivered: Int64 = 0

    private static let allowance: Int64 = 16 << 20
    private static let factor: Int64 = 16

    /// The last coding was undone: these bytes are of the body.
    package mutating func deliver(_ count: Int) {
        delivered += Int64(count)
    }

    /// A coding was undone, and another follows; false if that is out of proportion.
    package mutating func passOn(_ count: Int) -> Bool {
        passed += Int64(count)
        return (passed - Self.allowance) / Self.factor <= delivered
    }
}

/// The bytes are invalid in their coding.
package struct DecodingFault: Error, Equatable {
    package let kind: NetworkError.Kind

    package init(_ reason: String) {
        kind = .invalidResponse(reason: reason)
    }

    private init(_ kind: NetworkError.Kind) {
        self.kind = kind
    }

    package static let otherDictionary = DecodingFault(.otherDictionary)

    package static let damaged = DecodingFault("the compressed content is damaged")
    package static let excess = DecodingFault("there are bytes after the end of the compressed body")
}

/// Decodes one content coding.
package protocol DecodingStage: AnyObject {
    /// Whether the input may end here.
    var isComplete: Bool { get }

    /// Whether there may be output without more input.
    var hasOutput: Bool { get }

    /// Takes bytes from the beginning of its input, and returns at most `limit` decoded ones, which stay valid until the next
    /// call. Called only with input, or if ``hasOutput``.
    func next(_ input: inout UnsafeRawBufferPointer, limit: Int) throws(DecodingFault) -> UnsafeRawBufferPointer

    func isSlow(before input: UnsafeRawBufferPointer) -> Bool
    func prepare(_ input: inout UnsafeRawBufferPointer)
}

extension DecodingStage {
    /// Whether the next call may take longer than a turn of the loop has.
    package func isSlow(before input: UnsafeRawBufferPointer) -> Bool { false }

    /// Does the long part of the next call.
    package func prepare(_ input: inout UnsafeRawBufferPointer) {}
}

extension UnsafeRawBufferPointer {
    /// Its first byte, for a C function.
    package var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }

    /// Removes bytes from the beginning, so that so many are left.
    package mutating func leaveLast(_ left: Int) {
        self = UnsafeRawBufferPointer(rebasing: suffix(left))
    }

    /// Reads the zeros at the start.
    package mutating func dropZeros() {
        self = UnsafeRawBufferPointer(rebasing: self.drop { $0 == 0 })
    }
}
#endif
