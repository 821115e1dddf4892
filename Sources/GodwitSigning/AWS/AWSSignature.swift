import GodwitCore
import GodwitSupport

/// The time, region and service that a signature of AWS Signature Version 4 is valid for.
package struct AWSSigningScope: Sendable, Hashable {
    package static let algorithm = "AWS4-HMAC-SHA256"

    /// The time as in `X-Amz-Date`: `20150830T123600Z`.
    package let time: String
    package let region: String
    package let service: String

    /// `nil` for a time outside the years 0 to 9999.
    package init?(_ date: Date, region: String, service: String) {
        guard let text = ISO8601.text(date, digits: 0) else { return nil }
        time = text.filter { $0 != "-" && $0 != ":" }
        self.region = region
        self.service = service
    }

    private var day: Substring { time.prefix(8) }

    /// `20150830/us-east-1/iam/aws4_request`.
    package var text: String { "\(day)/\(region)/\(service)/aws4_request" }

    /// The text that is signed.
    package func stringToSign(_ request: AWSCanonicalRequest) -> String {
        [Self.algorithm, time, text, request.digest].joined(separator: "\n")
    }

    /// The signature in hexadecimal.
    package func signature(_ request: AWSCanonicalRequest, secret: String) -> String {
        var key = Array("AWS4\(secret)".utf8)
        for part in [String(day), region, service, "aws4_request"] { key = HMACSHA256.code(of: part.utf8, key: key) }
        return Hexadecimal.encode(HMACSHA256.code(of: stringToSign(request).utf8, key: key))
    }

    /// The value of `Authorization`.
    package func authorization(_ request: AWSCanonicalRequest, accessKeyID: String, secret: String) -> String {
        "\(Self.algorithm) Credential=\(accessKeyID)/\(text), SignedHeaders=\(request.signedNames), "
            + "Signature=\(signature(request, secret: secret))"
    }
}

/// What stands for the body in a signature of AWS Signature Version 4.
package enum AWSPayload {
    /// A body that the signature doesn't cover.
    package static let unsigned = "UNSIGNED-PAYLOAD"
    /// The digest of no body.
    package static let empty = Hexadecimal.encode(SHA256.digest([]))
}
