@testable import GodwitCore
import GodwitTesting
import Testing

// What Apple's sessions ask when a server shows its certificates; the validating itself is the system's.
@Suite("ServerRules")
struct ServerRulesTests {
    private static let known = Pin.sha256([UInt8](repeating: 1, count: 32))
    private static let backup = Pin.sha256([UInt8](repeating: 2, count: 32))
    private static let strange = Pin.sha256([UInt8](repeating: 3, count: 32))
    private static let authority = TrustedAuthorities.only(
        .pem("-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----"))

    private func rules(_ configure: (inout TLSConfiguration) -> Void) throws(NetworkError) -> ServerRules {
        var tls = TLSConfiguration()
        configure(&tls)
        return try ServerRules(tls)
    }

    @Test("S1 a host without a rule is left to the system, without validation")
    func noRule() throws {
        let rules = try rules { $0.pins["pinned.example"] = [Self.known, Self.backup] }
        let chain = FakeChain(keys: [Self.strange], failure: .certificateExpired)
        #expect(!rules.hasRule(for: "other.example"))
        #expect(rules.decision(on: chain, from: "other.example") == .leftToSystem)
        #expect(chain.asked.value.isEmpty)
    }

    @Test("S2 one pinned key in the validated chain is enough, and the system still decides")
    func pinned() throws {
        let rules = try rules { $0.pins[domain: "example.com"] = [Self.known, Self.backup] }
        #expect(rules.hasRule(for: "api.example.com"))
        let chain = FakeChain(keys: [Self.strange, Self.backup])
        #expect(rules.decision(on: chain, from: "api.example.com") == .leftToSystem)
        #expect(chain.asked.value == ["validate api.example.com", "keys"])
    }

    @Test("S2 a chain without a pinned key is refused and reported, or only reported", arguments: [false, true])
    func mismatch(_ isReportOnly: Bool) throws {
        let reports = Watched<[PinMismatch]>([])
        let report: PinSet.Report = { mismatch in reports.update { $0.append(mismatch) } }
        let rules = try rules {
            let set: PinSet = [Self.known, Self.backup]
            $0.pins["example.com"] = isReportOnly ? set.reportingOnly(report) : set.reporting(report)
        }
        let decision = rules.decision(on: FakeChain(keys: [Self.strange]), from: "example.com")
        #expect(decision == (isReportOnly ? .leftToSystem : .refused(.pinMismatch)))
        #expect(reports.value.map(\.host) == ["example.com"])
        #expect(reports.value.first?.isRefused == !isReportOnly)
    }

    @Test(
        "S2 an invalid chain is refused before its keys are checked, also with report-only pins",
        arguments: [NetworkError.SecurityFailure.certificateExpired, .hostMismatch("example.com")])
    func invalid(_ failure: NetworkError.SecurityFailure) throws {
        let reports = Watched(0)
        let rules = try rules {
            let set: PinSet = [Self.known, Self.backup]
            $0.pins["example.com"] = set.reportingOnly { _ in reports.update { $0 += 1 } }
        }
        let chain = FakeChain(keys: [Self.known], failure: failure)
        #expect(rules.decision(on: chain, from: "example.com") == .refused(failure))
        #expect(chain.asked.value == ["validate example.com"])
        #expect(reports.value == 0)
    }

    @Test("S1 a host is validated by its authorities, then by its pins")
    func authorities() throws {
        let rules = try rules {
            $0.authorities["dev.example"] = Self.authority
            $0.authorities["both.example"] = Self.authority
            $0.pins["both.example"] = [Self.known, Self.backup]
        }
        let chain = FakeChain(keys: [Self.strange])
        #expect(rules.decision(on: chain, from: "dev.example") == .trusted)
        #expect(chain.asked.value == ["trust 1, alone", "validate dev.example"])
        #expect(rules.decision(on: FakeChain(keys: [Self.known]), from: "both.example") == .trusted)
        #expect(rules.decision(on: FakeChain(keys: [Self.strange]), from: "both.example") == .refused(.pinMismatch))
    }

    @Test("S1 if the system refuses the authorities, the host is refused")
    func unusable() throws {
        let rules = try rules { $0.authorities["dev.example"] = Self.authority }
        let chain = FakeChain(keys: [], refusal: .configuration("no"))
        #expect(rules.decision(on: chain, from: "dev.example") == .refused(.configuration("no")))
        #expect(chain.asked.value == ["trust 1, alone"])
    }

    @Test("S1 S2 the initializer refuses invalid rules, and authorities without a certificate")
    func faults() {
        let pins = #expect(throws: NetworkError.self) { try rules { $0.pins["example.com"] = [Self.known] } }
        guard case .invalidRequest = pins?.kind else { return #expect(Bool(false), "\(pins as Any)") }
        for text in ["", "no PEM", "-----BEGIN CERTIFICATE-----\nAQID"] {
            let error = #expect(throws: NetworkError.self) {
                try rules { $0.authorities["example.com"] = .adding(.pem(text)) }
            }
            guard case .insecure(.configuration) = error?.kind else { return #expect(Bool(false), "\(error as Any)") }
        }
    }
}

/// Certificates as a system would find them, and what it was asked.
private struct FakeChain: ServerChain {
    private let known: [Pin]
    private let failure: NetworkError.SecurityFailure?
    private let refusal: NetworkError.SecurityFailure?
    let asked = Watched<[String]>([])

    init(
        keys: [Pin], failure: NetworkError.SecurityFailure? = nil, refusal: NetworkError.SecurityFailure? = nil
    ) {
        known = keys
        self.failure = failure
        self.refusal = refusal
    }

    func trust(_ anchors: ServerRules.Anchors) -> NetworkError.SecurityFailure? {
        asked.update { $0.append("trust \(anchors.certificates.count), \(anchors.keepsOthers ? "beside" : "alone")") }
        return refusal
    }

    func validate(for host: String) -> NetworkError.SecurityFailure? {
        asked.update { $0.append("validate \(host)") }
        return failure
    }

    var keys: [Pin] {
        asked.update { $0.append("keys") }
        return known
    }
}
