#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A difference from Foundation's decoder that is intended: its reason, and how to recognize it.
struct KnownDifference: Sendable {
    let reason: String
    let explains: @Sendable (Difference) -> Bool

    static let all = [notJSON, zeroWithExponent, pathOfBadScalar, orderOfMembers]

    /// Foundation takes `[1,]`, and reads strings and numbers only when a type asks for them. Ours reports text that isn't
    /// JSON wherever it is, before any type sees it.
    private static let notJSON = KnownDifference(reason: "RFC 8259: text that isn't JSON is refused before decoding starts") {
        !StrictValidator.accepts($0.comparison.document) && $0.model.failure == Failure(kind: "dataCorrupted", path: "")
    }

    /// Foundation takes the exponent of a zero for a digit of an underflow.
    private static let zeroWithExponent = KnownDifference(reason: "RFC 8259: 0e1 is zero") {
        $0.foundation.failure?.kind == "dataCorrupted" && $0.comparison.document.containsZeroWithExponent
    }

    /// Dictionaries decode their members in the order of `allKeys`: by hash in Foundation, as written in ours. If two
    /// members are bad, the errors are about different ones.
    private static let orderOfMembers = KnownDifference(reason: "Members of dictionaries are decoded as written") {
        guard let foundation = $0.foundation.failure, let model = $0.model.failure else { return false }
        let isDictionary = $0.targetDescription.contains("Dictionary") || $0.targetDescription == "Article"
        return isDictionary && foundation.path != model.path
    }

    /// Foundation reads numbers and strings late, and its errors about them lose the path.
    private static let pathOfBadScalar = KnownDifference(reason: "The path of a bad scalar is in the error") {
        $0.foundation.failure == Failure(kind: "dataCorrupted", path: "") && $0.model.failure?.kind == "dataCorrupted"
    }
}

extension Failure {
    init(kind: String, path: String) {
        self.kind = kind
        self.path = path
    }
}

extension [UInt8] {
    fileprivate var containsZeroWithExponent: Bool {
        indices.contains { index in
            guard self[index] == UInt8(ascii: "0") else { return false }
            let rest = self[index...].drop { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
            return rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E")
        }
    }
}
