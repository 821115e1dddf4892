import Godwit
import GodwitCore
import GodwitSigning
import TestSupport

// What servers send in signed messages, and what programs sign.
extension FuzzTarget {
    static var signatures: FuzzTarget {
        FuzzTarget.text(
            "signatures",
            words: [
                "sig1=(\"@method\");created=1;keyid=\"k\"", "sig1=:AA==:", "\"x\";sf", ";key=\"a\"", ";bs", ";req",
                ", ", "@1",
                "%\"%c3%bc\"", "1.500", "?1", "(a b)",
            ]
        ) { text in
            if let dictionary = StructuredParser.dictionary(text) {
                guard let strict = dictionary.text, StructuredParser.dictionary(strict) == dictionary else {
                    fail("signatures: \(text) is another dictionary when it is written")
                }
            }
            _ = StructuredParser.list(text)?.text
            _ = StructuredParser.item(text)?.text
            _ = DigestField.sha256(in: .contentDigest, of: [.contentDigest: text])
            let fields: HTTPFields = [.signatureInput: text, .signature: "sig1=:AA==:", "X": text]
            guard let url = try? HTTPURL("https://a.example/?x=1&\(PercentEncoding.encode(text, allowing: .query))")
            else {
                return
            }
            let message = SignedMessage.request(SignedRequest(.get, url, fields))
            for signature in (try? SignatureFields.all(in: fields)) ?? [] {
                _ = try? signature.parameters.base(of: message)
                _ = (signature.parameters.created, signature.parameters.expires, signature.parameters.nonce)
            }
            for rule in [AWSCanonicalRequest.PathRule.asInURL, .encodedAgain] {
                _ = AWSCanonicalRequest(.get, url, fields, payload: text, path: rule).digest
            }
        }
    }
}
