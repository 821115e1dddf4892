import GodwitCore
import GodwitSupport

/// A proof that the sender of one request has the key (RFC 9449 section 4.2).
struct DPoPProof {
    private struct Header: Encodable {
        let typ = "dpop+jwt"
        let alg = "ES256"
        let jwk: JWK
    }

    /// The names are those of RFC 9449 section 4.2.
    private struct Claims: Encodable {
        let jti: String
        let htm: String
        let htu: String
        let iat: Int64
        let ath: String?
        let nonce: String?
    }

    /// The proof as a JSON Web Token.
    let text: String

    /// - Parameters:
    ///   - token: The access token of the request. `nil` for a request to an authorization server.
    ///   - nonce: The last nonce of the server.
    init(
        for request: HTTPRequest, _ key: DPoPKey, token: String?, nonce: String?, at now: Date
    ) throws(NetworkError) {
        var generator = SystemRandomNumberGenerator()
        let claims = Claims(
            jti: RandomText.make(using: &generator), htm: request.method.rawValue,
            htu: request.url.origin.description + request.url.path, iat: Int64(saturating: now.timeIntervalSince1970),
            ath: token.map { Base64URL.encode(SHA256.digest($0.utf8)) }, nonce: nonce)
        let coding = JSONCoding()
        let signed =
            Base64URL.encode(try coding.encode(Header(jwk: key.jwk))) + "."
            + Base64URL.encode(try coding.encode(claims))
        text = signed + "." + Base64URL.encode(try key.signature(of: signed))
    }
}
