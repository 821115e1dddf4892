import GodwitCore

/// Undoes the content codings of a response body (RFC 9110 section 8.4).
///
/// libcurl could, but it takes a body that was cut short for a complete one and refuses gzip of several members.
final class ContentDecoder {
    /// What is asked of servers.
    static let codings = "gzip, deflate, br, zstd"

    /// Takes decoded bytes; false to stop, as they are too many.
    typealias Output = (UnsafeRawBufferPointer) -> Bool

    private let stages: [any DecodingStage]

    /// Makes a decoder for the codings of a response; nil where there are none, or one is not known: then the body is
    /// handed over as it came.
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

    /// Decodes a piece of the body. Throws ``DecodingFault`` for bytes that are not what the coding promised.
    func decode(_ input: UnsafeRawBufferPointer, into output: Output) throws(DecodingFault) {
        try decode(input, from: 0, into: output)
    }

    /// Whether the body may end here: nothing came, or the last stage of every coding is complete.
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
    /// The bytes are not what the coding promised.
    case corrupt(String)
    /// The output asked to stop.
    case stopped
}

/// One content coding being undone.
protocol DecodingStage: AnyObject {
    /// Whether the input may end here.
    var isComplete: Bool { get }

    /// Decodes a piece, and emits what comes of it in pieces of bounded size.
    func decode(
        _ input: UnsafeRawBufferPointer, emit: (UnsafeRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(DecodingFault)
}
