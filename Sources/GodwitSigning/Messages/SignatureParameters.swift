public import GodwitCore
import GodwitSupport

/// What a signature covers, and what it says of itself (RFC 9421 section 2.3).
public struct SignatureParameters: Sendable, Hashable, Nonisolated {
    /// As it is signed: the order of the parameters matters.
    package let list: StructuredInnerList

    /// The parts of the message that are covered, in order.
    public let components: [SignatureComponent]

    /// Creates the parameters of a new signature.
    package init(
        _ components: [SignatureComponent], created: Date? = nil, keyID: String? = nil, algorithm: String? = nil,
        expires: Date? = nil, nonce: String? = nil, tag: String? = nil
    ) {
        self.components = components
        var parameters = StructuredParameters()
        if let created { parameters.set(Self.seconds(created), for: "created") }
        if let keyID { parameters.set(.string(keyID), for: "keyid") }
        if let algorithm { parameters.set(.string(algorithm), for: "alg") }
        if let expires { parameters.set(Self.seconds(expires), for: "expires") }
        if let nonce { parameters.set(.string(nonce), for: "nonce") }
        if let tag { parameters.set(.string(tag), for: "tag") }
        list = StructuredInnerList(components.map(\.item), parameters)
    }

    /// Reads the parameters of a received signature.
    package init(_ list: StructuredInnerList) {
        self.list = list
        components = list.items.map { SignatureComponent($0) }
    }

    private static func seconds(_ date: Date) -> StructuredBareItem {
        .integer(Int64(saturating: date.timeIntervalSince1970))
    }

    /// When the signature was made; `nil` if it doesn't say.
    public var created: Date? { date("created") }
    /// When the signature ceases to count; `nil` if it doesn't say.
    public var expires: Date? { date("expires") }
    /// A value that occurs in one signature only; `nil` if there is none.
    public var nonce: String? { text("nonce") }
    /// The name of the algorithm, such as `ed25519`; `nil` if there is none.
    public var algorithm: String? { text("alg") }
    /// The name by which a verifier finds the key; `nil` if there is none.
    public var keyID: String? { text("keyid") }
    /// The application that the signature is for; `nil` if there is none.
    public var tag: String? { text("tag") }

    private func date(_ key: String) -> Date? {
        guard case .integer(let seconds)? = list.parameters[key] else { return nil }
        return Date(timeIntervalSince1970: Double(seconds))
    }

    private func text(_ key: String) -> String? {
        guard case .string(let text)? = list.parameters[key] else { return nil }
        return text
    }
}

/// Why a message can't be signed, or has no valid signature.
package struct SignatureFault: Error, Sendable, Hashable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}
