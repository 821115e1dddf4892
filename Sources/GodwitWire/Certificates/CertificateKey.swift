/// Finds the public key in a certificate (RFC 5280 section 4.1).
///
/// Doesn't validate: the system has validated the certificate.
package enum CertificateKey {
    private static let sequence: UInt8 = 0x30
    private static let integer: UInt8 = 0x02
    /// The version, in its own context-specific tag; missing in version 1 certificates.
    private static let version: UInt8 = 0xA0

    /// The SubjectPublicKeyInfo in DER; `nil` if the bytes aren't a certificate in DER.
    package static func subjectPublicKeyInfo(of certificate: some Collection<UInt8>) -> [UInt8]? {
        var file = DERReader(Array(certificate)[...])
        guard var outer = file.enter(sequence), var body = outer.enter(sequence) else { return nil }
        if body.nextTag == version, body.enter(version) == nil { return nil }
        // Serial number, algorithm, issuer, validity, subject.
        for tag in [integer, sequence, sequence, sequence, sequence] where body.enter(tag) == nil { return nil }
        return body.element(sequence).map(Array.init)
    }
}

/// Parses certificates in PEM (RFC 7468 section 5).
package enum PEMCertificates {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    /// The certificates in DER, in order; `nil` if one can't be parsed. Text between them is skipped.
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
