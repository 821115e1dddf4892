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

/// Reads DER elements (X.690) in sequence.
private struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var nextTag: UInt8? { rest.first }

    /// The contents of the next element, if it has this tag.
    mutating func enter(_ tag: UInt8) -> DERReader? {
        guard let (head, whole) = next(tag) else { return nil }
        return DERReader(whole.dropFirst(head))
    }

    /// The next element with its header, if it has this tag.
    mutating func element(_ tag: UInt8) -> ArraySlice<UInt8>? {
        next(tag)?.whole
    }

    private mutating func next(_ tag: UInt8) -> (head: Int, whole: ArraySlice<UInt8>)? {
        guard rest.first == tag, let (head, length) = size(), rest.count - head >= length else { return nil }
        let whole = rest.prefix(head + length)
        rest = rest.dropFirst(head + length)
        return (head, whole)
    }

    /// The lengths of the header (tag and length) and of the contents.
    private func size() -> (head: Int, length: Int)? {
        guard let first = rest.dropFirst().first else { return nil }
        guard first >= 0x80 else { return (2, Int(first)) }
        let digits = rest.dropFirst(2).prefix(Int(first & 0x7F))
        guard (1...4).contains(digits.count), digits.count == Int(first & 0x7F) else { return nil }
        return (2 + digits.count, digits.reduce(0) { $0 << 8 | Int($1) })
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
