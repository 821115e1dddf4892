import GodwitWire
import Testing

@Suite("S2 the public key of a certificate")
struct CertificateKeyTests {
    /// Serial number, algorithm, issuer, validity, subject, and a key.
    private static let body: [UInt8] = [
        0x02, 1, 1, 0x30, 0, 0x30, 0, 0x30, 0, 0x30, 0, 0x30, 3, 0x02, 1, 7, 0xA3, 0,
    ]
    private static let version: [UInt8] = [0xA0, 3, 0x02, 1, 2]

    private static func certificate(_ body: [UInt8]) -> [UInt8] {
        [0x30, UInt8(body.count) + 2, 0x30, UInt8(body.count)] + body
    }

    @Test("S2 with a version and without, the key is the same element", arguments: [[], version])
    func key(version: [UInt8]) {
        let certificate = Self.certificate(version + Self.body)
        #expect(CertificateKey.subjectPublicKeyInfo(of: certificate) == [0x30, 3, 0x02, 1, 7])
    }

    @Test("S2 lengths in the long form are parsed; impossible ones are not")
    func lengths() {
        let inner = [0x30, 0x82, 0, UInt8(Self.body.count)] + Self.body
        let certificate = [0x30, 0x81, UInt8(inner.count)] + inner
        #expect(CertificateKey.subjectPublicKeyInfo(of: certificate) == [0x30, 3, 0x02, 1, 7])
        let huge = [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF] + inner
        #expect(CertificateKey.subjectPublicKeyInfo(of: huge) == nil)
        let endless = [0x30, 0x80] + inner
        #expect(CertificateKey.subjectPublicKeyInfo(of: endless) == nil)
    }

    @Test("S2 a missing or different element makes the certificate invalid", arguments: 0..<6)
    func missing(index: Int) {
        let elements: [[UInt8]] = [
            [0x02, 1, 1], [0x30, 0], [0x30, 0], [0x30, 0], [0x30, 0], [0x30, 3, 0x02, 1, 7],
        ]
        var changed = elements
        changed[index] = [0x04, 0]
        #expect(CertificateKey.subjectPublicKeyInfo(of: Self.certificate(changed.flatMap(\.self))) == nil)
        changed.remove(at: index)
        let others = Self.certificate(changed.flatMap(\.self))
        #expect(CertificateKey.subjectPublicKeyInfo(of: others) == nil)
    }
}
