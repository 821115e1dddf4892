/// The certificates of a text in PEM (RFC 7468 section 5).
package enum PEMCertificates {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    /// Each certificate in DER, in order; nil where one of them cannot be read. What stands between them is skipped.
    package static func certificates(in pem: Data) -> [Data]? {
        var rest = String(decoding: pem, as: UTF8.self)[...]
        var certificates: [Data] = []
        while let first = rest.firstRange(of: begin) {
            rest = rest[first.upperBound...]
            guard let last = rest.firstRange(of: end) else { return nil }
            let encoded = rest[..<last.lowerBound].filter { !$0.isWhitespace }
            guard let certificate = Data(base64Encoded: String(encoded)), !certificate.isEmpty else { return nil }
            certificates.append(certificate)
            rest = rest[last.upperBound...]
        }
        return certificates
    }
}
