import GodwitWire
import Testing

@Suite("PEMCertificates")
struct PEMCertificatesTests {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    @Test("S1 certificates are parsed in order, with any line breaks and text between them")
    func several() {
        let text = """
            # an authority
            \(Self.begin)
            AQID
            BAU=
            \(Self.end)
            -----BEGIN PRIVATE KEY-----
            AAAA
            -----END PRIVATE KEY-----\r\n\(Self.begin)\r\nBgc=\r\n\(Self.end)
            """
        #expect(PEMCertificates.certificates(in: Data(text.utf8)) == [Data([1, 2, 3, 4, 5]), Data([6, 7])])
    }

    @Test(
        "S1 an invalid one invalidates all, so that no authority is silently missing",
        arguments: ["\(begin)\nAQID", "\(begin)\nA?D\n\(end)", "\(begin)\n\(end)"])
    func broken(_ text: String) {
        let good = "\(Self.begin)\nAQID\n\(Self.end)\n"
        #expect(PEMCertificates.certificates(in: Data((good + text).utf8)) == nil)
    }

    @Test("S1 text without certificates has none")
    func none() {
        #expect(PEMCertificates.certificates(in: Data("no certificate".utf8)) == [])
    }
}
