import GodwitSupport

/// Proves to a program that a page is the one whose address it has: after the page ended, another user may listen there.
///
/// The port is part of the answer, so that the question can't be passed on to a page elsewhere.
package struct PageProof: Sendable {
    private let secret: String
    private let port: UInt16

    package init(secret: String, port: UInt16) {
        self.secret = secret
        self.port = port
    }

    /// The answer to a nonce: the SHA-256 of the secret, the port and the nonce, in hexadecimal.
    package func answer(to nonce: String) -> String {
        Hexadecimal.encode(SHA256.digest("godwit-page\n\(secret)\n\(port)\n\(nonce)\n\(secret)".utf8))
    }
}
