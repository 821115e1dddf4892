import Godwit
import RealServerSupport
import Testing

// snippet: guide-syncthing-model
nonisolated struct SyncEvent: Decodable, Sendable {
    var id: Int
    var type: String
    var time: Date
}

nonisolated extension Endpoint<[SyncEvent]> {
    /// Waits on the server until there is an event after this one, at most so long.
    static func events(after id: Int, waiting seconds: Int = 60) -> Self {
        .get("events", query: ["since": id, "timeout": seconds]).timeout(.seconds(seconds + 10))
    }
}
// end

@Suite("Syncthing", .enabled(if: RealServer.isInstalled(.command("syncthing")), "script/test --servers real"))
struct SyncthingTests {
    private static let key = "nnjYhzvcHuSEAmVdMPEqDcRXYpDTbTVS"

    /// With nothing that leaves this machine: no discovery, no relays, no ports of routers, no reports, no upgrades.
    private func server() async throws -> RealServer {
        try await RealServer(.command("syncthing"), environment: ["STNOUPGRADE": "1"]) { place in
            try place.write(
                """
                <configuration version="35">
                    <gui enabled="true" tls="true"><address>127.0.0.1:\(place.port)</address><apikey>\(Self.key)</apikey></gui>
                    <options>
                        <listenAddress>tcp://127.0.0.1:\(place.otherPort)</listenAddress>
                        <globalAnnounceEnabled>false</globalAnnounceEnabled><localAnnounceEnabled>false</localAnnounceEnabled>
                        <relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled><startBrowser>false</startBrowser>
                        <urAccepted>-1</urAccepted><autoUpgradeIntervalH>0</autoUpgradeIntervalH>
                        <crashReportingEnabled>false</crashReportingEnabled>
                    </options>
                </configuration>
                """, to: "config.xml")
            return ["serve", "--home=\(place.folder.path)", "--no-browser", "--no-restart"]
        }
    }

    private func client(of server: RealServer, name: String, key: String) throws -> APIClient {
        let certificate = server.place.folder.appending(path: "https-cert.pem")
        let port = server.place.port
        // snippet: guide-syncthing
        // The certificate that Syncthing made is for the name of its machine, and signed by itself. For other names
        // than localhost and addresses in `Host`, it refuses the request.
        let transport = try SocketTransport {
            $0.tls.authorities[name] = .only(.file(certificate))
            $0.addressOverrides["\(name):\(port)"] = ["127.0.0.1"]
            $0.hostFields["\(name):\(port)"] = "localhost"
        }
        let api = APIClient(baseURL: "https://\(name):\(port)/rest/", transport: transport) {
            $0.authentication = .credential(.apiKey(key, field: "X-API-Key"))
        }
        // end
        return api
    }

    @Test(
        "events by long polling over TLS, whose certificate is the only one that is trusted: S1, A1, M2",
        .timeLimit(.minutes(15)))
    func events() async throws {
        let server = try await server()
        let name = ProcessInfo.processInfo.hostName
        let api = try client(of: server, name: name, key: Self.key)
        // No single event can be waited for: a busy server drops what a subscriber doesn't take soon.
        let last = try #require(try await api.send(.events(after: 0)).last)
        #expect(abs(last.time.timeIntervalSinceNow) < 600)

        // One that waits gets the event as soon as there is one.
        let waiting = Task { try await api.send(.events(after: last.id)) }
        try await api.send(Endpoint<Void>.post("system/error", body: .text("the tide is out")))
        try await api.send(Endpoint<Void>.post("system/pause"))
        #expect(try await waiting.value.isEmpty == false)

        let stranger = try client(of: server, name: name, key: "wrong")
        let refused = await stranger.result(of: .events(after: 0))
        guard case .failure(let error) = refused else { throw Unexpected() }
        #expect(error.kind == .forbidden && error.userMessage == "CSRF Error")

        let untrusting = APIClient(baseURL: "https://127.0.0.1:\(server.place.port)/rest/")
        let unsafe = await untrusting.result(of: .events(after: 0))
        guard case .failure(let error) = unsafe, case .insecure(.untrustedCertificate) = error.kind else {
            throw Unexpected()
        }
        await server.stop()
    }
}
