import GodwitCore
import Synchronization
import Testing

@Suite("S2 pins as values")
struct PinSetTests {
    private static let text = "//nXYLFQ1bD0QH43HKhF0CZFVj1U9usSR1JJdbieRjA="

    @Test("S2 a pin is the same in any notation", arguments: ["", "sha256/", "sha256//"])
    func spellings(prefix: String) throws {
        let pin = Pin.sha256(prefix + Self.text)
        #expect(pin.fault == nil)
        #expect(pin == .sha256(try #require(Data(base64Encoded: Self.text))))
        #expect(pin.description == "sha256/" + Self.text)
    }

    @Test("S2 an invalid digest is a fault", arguments: ["", "abc", "sha256/", "sha1/" + text, text + text, "////"])
    func faults(text: String) {
        #expect(Pin.sha256(text).fault?.contains("\"\(text)\"") == true)
    }

    @Test("S2 one key of the chain is enough; a mismatch is refused, or only reported")
    func admission() {
        let keys = (0..<4).map { Pin.sha256([UInt8](repeating: $0, count: 32)) }
        let set: PinSet = [keys[0], keys[1]]
        #expect(set.admits([keys[2], keys[1]], from: "a.example"))
        #expect(!set.admits([keys[2], keys[3]], from: "a.example"))
        #expect(!set.admits([], from: "a.example"))
        let reports = Mutex<[PinMismatch]>([])
        let reporting = set.reportingOnly { report in reports.withLock { $0.append(report) } }
        #expect(reporting.isReportOnly && !set.isReportOnly)
        #expect(reporting.admits([keys[0]], from: "a.example"))
        #expect(reporting.admits([keys[3]], from: "a.example"))
        let expected = PinMismatch(host: "a.example", keys: [keys[3]], pins: [keys[0], keys[1]], isRefused: false)
        #expect(reports.withLock { $0 } == [expected])
        #expect(expected.description.contains("a.example") && expected.description.contains("only reported"))
    }

    @Test("S2 expired pins report and accept a mismatch; before, they refuse it")
    func expiration() {
        let keys = (0..<3).map { Pin.sha256([UInt8](repeating: $0, count: 32)) }
        let reports = Mutex<[Bool]>([])
        let set = PinSet(keys.prefix(2)).reporting { report in reports.withLock { $0.append(report.isRefused) } }
        #expect(set.expirationDate == nil && !set.isReportOnly)
        #expect(!set.admits([keys[2]], from: "a.example"))
        #expect(!set.expiring(at: .distantFuture).admits([keys[2]], from: "a.example"))
        #expect(set.expiring(at: .distantPast).admits([keys[2]], from: "a.example"))
        #expect(set.expiring(at: .distantPast).admits([keys[1]], from: "a.example"))
        #expect(reports.withLock { $0 } == [true, true, false])
        #expect(set.expiring(at: .distantPast).fault(for: "a.example") == nil)
        #expect(PinSet([keys[0]]).expiring(at: .distantPast).fault(for: "a.example") != nil)
    }

    @Test("S4 keys and passwords do not show in descriptions")
    func secrecy() {
        let certificate = ClientCertificate.pkcs12(.pem("secret-key"), password: "secret-word")
        let pem = ClientCertificate.pem(
            certificate: .pem("certificate"), key: .pem("secret-key"), password: "secret-word")
        for text in [certificate, pem].flatMap({ ["\($0)", String(reflecting: $0), dumped($0)] }) {
            #expect(!text.contains("secret"), "\(text)")
        }
        #expect(!dumped(KeyMaterial.pem("secret-key")).contains("secret"))
        #expect(!dumped(PasswordCredential(user: "a", password: "secret")).contains("secret"))
    }

    private func dumped(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }
}
