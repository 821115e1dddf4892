import Godwit
import GodwitSigning
import GodwitSupport
import GodwitTesting
import GodwitWire

/// Servers that verify signatures, by what arrived. They share nothing with the code that signs but SHA-256, HMAC and the
/// system's cryptography, which published examples verify.
enum SignatureCheck {
    /// Verifies the message signature `sig1`; `nil` if it is valid, else what is wrong.
    static func message(_ request: MockRequest, at server: String, _ key: VerificationKey) -> String? {
        guard let input = request.fields["Signature-Input"], let field = request.fields["Signature"],
            input.hasPrefix("sig1=("), field.hasPrefix("sig1=:"), field.hasSuffix(":"),
            let signature = Data(base64Encoded: String(field.dropFirst(6).dropLast()))
        else { return "no signature" }
        let parameters = input.dropFirst(5)
        let names = parameters.dropFirst().prefix { $0 != ")" }.split(separator: " ")
        var base = ""
        for name in names {
            let value =
                switch name {
                case "\"@method\"": request.method.rawValue
                case "\"@target-uri\"": "http://\(server)\(request.target)"
                case "\"@authority\"": server
                default:
                    HTTPField.Name(String(name.dropFirst().dropLast())).flatMap { request.fields[$0] } ?? "missing"
                }
            base += "\(name): \(value)\n"
        }
        base += "\"@signature-params\": \(parameters)"
        guard key.isValid(signature, of: Data(base.utf8)) else { return "wrong signature of \(base)" }
        guard !request.body.isEmpty || request.fields["Content-Digest"] != nil else { return nil }
        let digest = "sha-256=:\(Data(SHA256.digest(request.body)).base64EncodedString()):"
        return request.fields["Content-Digest"] == digest ? nil : "wrong digest"
    }

    /// Verifies a signature of AWS for a path and query that need no encoding; `nil` if it is valid, else what is wrong.
    static func aws(_ request: MockRequest, secret: String, service: String, at now: Date) -> String? {
        guard let authorization = request.fields[.authorization], let time = request.fields["X-Amz-Date"],
            let scope = authorization.split(separator: "/", maxSplits: 1).last?.prefix(while: { $0 != "," }),
            let names = authorization.firstRange(of: "SignedHeaders=").map({ range in
                authorization[range.upperBound...].prefix { $0 != "," }
            }), let signature = authorization.split(separator: "=").last
        else { return "no signature" }
        guard let sent = ISO8601.date(Self.dashed(time)), abs(sent.timeIntervalSince(now)) < 300 else {
            return "skewed"
        }
        let isUnsigned = request.fields["X-Amz-Content-Sha256"] == "UNSIGNED-PAYLOAD"
        let payload = isUnsigned ? "UNSIGNED-PAYLOAD" : Hexadecimal.encode(SHA256.digest(request.body))
        let fields = names.split(separator: ";").map { name in
            let value = HTTPField.Name(String(name)).flatMap { request.fields[$0] } ?? "missing"
            return "\(name):\(value.replacing("  ", with: " "))\n"
        }
        let query = request.target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let canonical = [
            request.method.rawValue, String(request.target.prefix { $0 != "?" }), String(query), fields.joined(),
            String(names), payload,
        ].joined(separator: "\n")
        let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(Hexadecimal.encode(SHA256.digest(canonical.utf8)))"
        var key = Array("AWS4\(secret)".utf8)
        for part in scope.split(separator: "/") { key = HMACSHA256.code(of: part.utf8, key: key) }
        guard scope.hasPrefix(time.prefix(8)), scope.hasSuffix("/\(service)/aws4_request") else { return "wrong scope" }
        return Hexadecimal.encode(HMACSHA256.code(of: text.utf8, key: key)) == signature ? nil : "wrong: \(canonical)"
    }

    /// `20150830T123600Z` as `2015-08-30T12:36:00Z`.
    private static func dashed(_ time: String) -> String {
        var text = ""
        for (place, character) in time.enumerated() {
            if place == 4 || place == 6 { text += "-" }
            if place == 11 || place == 13 { text += ":" }
            text.append(character)
        }
        return text
    }
}
