import Godwit

enum SecuritySnippets {
    static func hosts(_ current: String, _ backup: String) -> APIClient {
        // snippet: tls-rules
        let api = APIClient(baseURL: "https://api.example.com") {
            $0.pins["api.example.com"] = [.sha256(current), .sha256(backup)]
            $0.tls.authorities["dev.example.com"] = .adding(.file(URL(filePath: "/etc/dev-ca.pem")))
            $0.tls.clientCertificates[domain: "partner.example"] = .pem(
                certificate: .file(URL(filePath: "/etc/client.pem")), key: .file(URL(filePath: "/etc/client.key")))
        }
        // end
        return api
    }

    static func container(_ data: Data, _ password: String) -> APIClient {
        // snippet: pkcs12
        let api = APIClient(baseURL: "https://bank.example") {
            $0.tls.clientCertificates["bank.example"] = .pkcs12(.data(data), password: password)
        }
        // end
        return api
    }

    static func trial(_ pins: [Pin], _ log: @escaping @Sendable (String) -> Void) -> APIClient {
        // snippet: report-only
        let api = APIClient(baseURL: "https://api.example.com") {
            $0.pins[domain: "example.com"] = PinSet(pins).reportingOnly { log("\($0)") }
        }
        // end
        return api
    }
}

enum PinSnippets {
    // snippet: pins-emergency
    nonisolated struct PinSettings: Decodable, Sendable {
        var pins: [String]  // current and backup
        var isReportOnly = false  // true in an emergency
    }

    /// Made at launch, and again when the settings change.
    static func makeClient(
        _ settings: PinSettings?, shipped: PinSet, until expiration: Date, report: @escaping PinSet.Report
    ) -> APIClient {
        var pins = settings.map { PinSet($0.pins.map { .sha256($0) }) } ?? shipped
        pins = pins.expiring(at: expiration)  // an old app connects again instead of staying locked out
        pins = settings?.isReportOnly == true ? pins.reportingOnly(report) : pins.reporting(report)
        return APIClient(baseURL: "https://api.example.com/v1") { $0.pins["api.example.com"] = pins }
    }

    static func settings() async -> PinSettings? {
        // Another host and no pins: its certificate is validated by the system's authorities.
        let config = APIClient(baseURL: "https://config.example.com", preset: .ephemeral)
        return try? await config.send(Endpoint<PinSettings>.get("pins.json"))
    }
    // end
}

enum ChallengeSnippets {
    static func device(_ camera: Origin, _ password: String) -> APIClient {
        // snippet: challenges
        let api = APIClient(baseURL: "https://camera.example") {
            $0.challenges = Challenges { challenge in
                guard challenge.origin == camera, challenge.failureCount == 0 else { return nil }
                return PasswordCredential(user: "admin", password: password)
            }
        }
        // end
        return api
    }

    static func hsts(_ folder: URL) throws {
        // snippet: hsts
        let store = try HSTSStore(file: folder.appending(path: "hsts.txt"))
        let api = APIClient(baseURL: "https://api.example.com") { $0.hsts = .store(store) }  // or .memory, .off
        print(api.hstsStore?.hosts ?? [])
        store.remove("old.example.com")  // or clear()
        // end
    }

    static func secure() -> APIClient {
        // snippet: https-only
        let api = APIClient(baseURL: "https://api.example.com") {
            $0.plaintextHosts = ["printer.example"]
        }
        // end
        return api
    }
}
