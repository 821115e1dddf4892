import GodwitJSON

/// What an error says, as far as decoders must agree: its case, its type or key, and its coding path.
struct DecodingFailure: Hashable, Sendable, CustomStringConvertible {
    let kind: String
    let path: String

    init(_ error: any Error) {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            (kind, path) = ("keyNotFound(\(describe(path: [key])))", GodwitJSONTests.describe(path: context.codingPath))
        case DecodingError.valueNotFound(let type, let context):
            (kind, path) = ("valueNotFound(\(type))", GodwitJSONTests.describe(path: context.codingPath))
        case DecodingError.typeMismatch(let type, let context):
            (kind, path) = ("typeMismatch(\(type))", GodwitJSONTests.describe(path: context.codingPath))
        case DecodingError.dataCorrupted(let context):
            (kind, path) = ("dataCorrupted", GodwitJSONTests.describe(path: context.codingPath))
        default:
            // Foundation throws an internal error here, and turns it to `dataCorrupted` where it leaves the decoder.
            (kind, path) = ("dataCorrupted", "")
        }
    }

    var description: String { "\(kind) at \(path)" }
}

/// The result of decoding: a transcript of what was decoded, or the failure.
enum DecodingOutcome: Hashable, Sendable {
    case value([UInt8])
    case failure(DecodingFailure)

    init(_ decode: () throws -> String) {
        do {
            self = .value(Array(try decode().utf8))
        } catch {
            self = .failure(DecodingFailure(error))
        }
    }

    var failure: DecodingFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

extension DecodingOutcome: CustomStringConvertible {
    var description: String {
        switch self {
        case .value(let bytes): "value \(String(decoding: bytes, as: UTF8.self))"
        case .failure(let failure): "failure \(failure)"
        }
    }
}
