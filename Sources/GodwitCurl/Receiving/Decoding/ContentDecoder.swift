import GodwitCore

/// Decodes a response body's content codings (RFC 9110 section 8.4).
///
/// libcurl could, but it accepts truncated bodies and refuses gzip with several members (decision 003).
final class ContentDecoder {
    /// The value of `Accept-Encoding`.
    static let codings = "gzip, deflate, br, zstd"

    /// Takes decoded bytes; false to stop.
    typealias Output = (UnsafeRawBufferPointer) -> Bool

    private let stages: [any DecodingStage]

    /// Makes a decoder for the codings of a response; nil if there are none, or one is unknown: then the body stays encoded.
    init?(codings value: String) {
        // Codings are listed in the order they were applied.
        let applied = ContentCodings(value).applied
        guard !applied.isEmpty, applied.count <= ContentCodings.mostUndone else { return nil }
        var stages: [any DecodingStage] = []
        for coding in applied.reversed() {
            guard let stage = Self.stage(for: coding) else { return nil }
            stages.append(stage)
        }
        self.stages = stages
    }

    /// Decodes a piece of the body.
    func decode(_ input: UnsafeRawBufferPointer, into output: Output) throws(DecodingFault) {
        try decode(input, from: 0, into: output)
    }

    /// Whether the body may end here: no byte arrived, or every coding is complete.
    var isComplete: Bool {
        stages.allSatisfy(\.isComplete)
    }

    private func decode(
        _ input: UnsafeRawBufferPointer, from index: Int, into output: Output
    ) throws(DecodingFault) {
        guard index < stages.count else {
            if !output(input) { throw .stopped }
            return
        }
        try stages[index].decode(input) { piece throws(DecodingFault) in
            try decode(piece, from: index + 1, into: output)
        }
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
}

/// Why a body could not be decoded.
enum DecodingFault: Error, Equatable {
    /// The bytes are invalid in the coding.
    case corrupt(String)
    /// The output asked to stop.
    case stopped
}

/// Decodes one content coding.
protocol DecodingStage: AnyObject {
    /// Whether the input may end here.
    var isComplete: Bool { get }

    /// Decodes a piece, and emits the result in pieces of bounded size.
    func decode(
        _ input: UnsafeRawBufferPointer, emit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault)
}
