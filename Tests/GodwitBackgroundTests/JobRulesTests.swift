#if os(Linux)

import Glibc
import Godwit
import GodwitBackground
import GodwitStorage
import GodwitSupport
import GodwitTesting
import GodwitTransferDaemon
import TestSupport
import Testing

/// What `script/servers` says about its servers.
private func server(_ name: String) -> String? {
    ProcessInfo.processInfo.environment["GODWIT_TEST_\(name)"]
}

@Suite("BackgroundSession: rules for jobs", .timeLimit(.minutes(15)))
struct JobRulesTests {
    private let bench = Bench()

    /// What became of the only job.
    private func label(_ session: BackgroundSession) async throws -> String {
        guard let event = try await session.nextEvent() else { return "" }
        try await session.acknowledge(event)
        guard case .failed(let failure) = event.outcome else { return "downloaded" }
        return failure.label
    }

    private func download(
        _ request: HTTPRequest, _ configure: @escaping @Sendable (inout BackgroundJobOptions) -> Void = { _ in }
    ) async throws -> String {
        let session = bench.session()
        try await session.download(request, to: bench.path("\(UInt32.random(in: 0 ... .max))"), configure: configure)
        return try await label(session)
    }

    @Test("B8 a job applies its request's redirect rule")
    func redirects() async throws {
        let server = try await MockServer { route in
            route.get("/a").reply(.redirect(to: "/b"))
            route.get("/b").reply(.redirect(to: "/c"))
            route.get("/c").reply(.text("x"))
        }
        var request = try bench.request(server, "/a")
        #expect(try await download(request) == "downloaded")
        request.options.redirects = .followUp(to: 2)
        #expect(try await download(request) == "downloaded")
        request.options.redirects = .followUp(to: 1)
        #expect(try await download(request).hasPrefix("redirect"))
        request.options.redirects = .block
        #expect(try await download(request) == "unexpected_status")
        #expect(server.requestCount == 3 + 3 + 2 + 1)
        request.options.redirects = .decide { next, _ in next }
        await #expect(throws: NetworkError.self) { try await download(request) }
    }

    @Test("S1 a job trusts only the authorities that it names", .enabled(if: server("CA") != nil))
    func authorities() async throws {
        let request = HTTPRequest(url: try HTTPURL(try #require(server("NGINX_H2")) + "/1k.json"))
        let authority = URL(filePath: try #require(server("CA")))
        #expect(try await download(request).hasPrefix("insecure"))
        #expect(try await download(request) { $0.tls.authorities = authority } == "downloaded")
        #expect(try await download(request).hasPrefix("insecure"))
        #expect(try await download(request) { $0.tls.authorities = URL(filePath: "/none") }.hasPrefix("insecure"))
    }

    @Test("S2 a job checks its pins", .enabled(if: server("CERTIFICATES") != nil))
    func pins() async throws {
        let request = HTTPRequest(url: try HTTPURL(try #require(server("NGINX_H2")) + "/1k.json"))
        let folder = try #require(server("CERTIFICATES"))
        let authority = URL(filePath: folder + "/ca.pem")
        func pin(_ name: String) throws -> Pin {
            let text = try String(contentsOf: URL(filePath: "\(folder)/\(name).pin"), encoding: .utf8)
            return .sha256(text.filter { !$0.isNewline })
        }
        let (right, wrong) = (try pin("localhost"), try pin("stranger"))
        for (pins, isIn) in [([right], true), ([wrong], false), ([wrong, right], true)] {
            let label = try await download(request) {
                $0.tls.authorities = authority
                $0.tls.pins = pins
            }
            #expect((label == "downloaded") == isIn)
        }
        await #expect(throws: NetworkError.self) { try await download(request) { $0.tls.pins = [.sha256("x")] } }
    }

    @Test(
        "S4 a job sends its certificate, and its key is not in the queue", .enabled(if: server("CERTIFICATES") != nil))
    func clientCertificate() async throws {
        let request = HTTPRequest(url: try HTTPURL(try #require(server("NGINX_CLIENTCERT")) + "/1k.json"))
        let folder = try #require(server("CERTIFICATES"))
        let authority = URL(filePath: folder + "/ca.pem")
        #expect(try await download(request) { $0.tls.authorities = authority } == "client")
        let label = try await download(request) {
            $0.tls.authorities = authority
            $0.tls.certificate = URL(filePath: folder + "/client.pem")
            $0.tls.key = URL(filePath: folder + "/client.key")
        }
        #expect(label == "downloaded")
        let plain = HTTPRequest(url: try HTTPURL("http://127.0.0.1/"))
        await #expect(throws: NetworkError.self) { try await download(plain) { $0.tls.authorities = authority } }
    }

    @Test("B8 a job reads its token for each attempt, and the queue never contains it")
    func tokenFile() async throws {
        let (turn, written, bench) = (Turn(), Watched(""), bench)
        let store = FileTokenStore(at: bench.path("token"))
        try store.save(AccessToken(access: "s3cret-1"))
        let server = try await MockServer { route in
            route.get("/a").reply { _ in
                let number = turn.next()
                if number == 0 {
                    written.update { $0 = bench.written }
                    try store.save(AccessToken(access: "s3cret-2"))
                }
                // So often the client asks by itself in one attempt of the job.
                return number < 3 ? .status(.serviceUnavailable) : .text("x")
            }
        }
        try await bench.serving {
            let session = bench.session()
            try await session.download(bench.request(server, "/a"), to: bench.path("a")) {
                $0.tokenFile = bench.path("token")
            }
            let label = try await label(session)
            #expect(label == "downloaded")
        }
        #expect(written.value.contains("tokenFile"))
        #expect(!written.value.contains("s3cret"))
        let tokens = server.requests.map { $0.fields[.authorization] }
        #expect(tokens.first == "Bearer s3cret-1" && tokens.last == "Bearer s3cret-2")
    }

    @Test("B8 a job with a missing or rejected token fails, and leaves the file unchanged")
    func noToken() async throws {
        let server = try await MockServer { route in route.get("/a").reply(.status(.unauthorized)) }
        let request = try bench.request(server, "/a")
        let (none, file) = (bench.path("none"), bench.path("token"))
        let first = try await download(request) { $0.tokenFile = none }
        #expect(first == "unauthorized")
        #expect(server.requestCount == 0)
        try FileTokenStore(at: file).save(AccessToken(access: "s3cret"))
        let second = try await download(request) { $0.tokenFile = file }
        #expect(second == "unauthorized")
        // Whoever signed in may refresh it yet.
        #expect(try FileTokenStore(at: file).load()?.access == "s3cret")
    }

    @Test("B8 a queue of version 1 is opened, and its jobs run")
    func olderQueue() async throws {
        let server = try await MockServer { route in route.get("/a").reply(.text("x")) }
        let session = bench.session()
        _ = try await bench.serving {
            $0.pathMonitor = PathFeed(NetworkPath(status: .satisfied, interfaces: [.cellular], isExpensive: true))
        } _: {
            _ = try await session.download(bench.request(server, "/a"), to: bench.path("a")) {
                $0.isDiscretionary = true
            }
        }
        let file = try SQLiteConnection(path: bench.places.queue.path, patience: 1000)
        #expect(try file.number("PRAGMA user_version") == 2)
        try file.execute("PRAGMA user_version = 1")
        try await bench.serving {
            $0.pathMonitor = PathFeed(NetworkPath(status: .satisfied, interfaces: [.wifi]))
            $0.load = { 0 }
        } _: {
            let label = try await label(session)
            #expect(label == "downloaded")
        }
        #expect(try file.number("PRAGMA user_version") == 2)
    }

    @Test("B8 a job with rules is not handed to a process that would ignore them")
    func protocolVersion() throws {
        var request = HTTPRequest(url: try HTTPURL("https://127.0.0.1/a"))
        let options = BackgroundJobOptions()
        func command(_ options: BackgroundJobOptions) throws -> TransferCommand {
            let spec = try TransferSpec(download: request, to: bench.path("a"), options, BackgroundConfiguration())
            return .add("test", spec)
        }
        func isLater(_ command: TransferCommand) throws -> Bool {
            let data = try JSONEncoder().encode(command)
            #expect(try JSONDecoder().decode(TransferCommand.self, from: data) == command)
            return String(decoding: data, as: UTF8.self).contains(#""version":2"#)
        }
        let plain = try isLater(command(options))
        #expect(!plain)
        for change in [
            { $0.tls.pins = [.sha256(SHA256.digest("k".utf8))] }, { $0.tls.authorities = URL(filePath: "/ca.pem") },
            { $0.tokenFile = URL(filePath: "/t") },
        ] as [(inout BackgroundJobOptions) -> Void] {
            var options = options
            change(&options)
            #expect(try isLater(command(options)))
        }
        request.options.redirects = .block
        #expect(try isLater(command(options)))
    }
}
#endif
