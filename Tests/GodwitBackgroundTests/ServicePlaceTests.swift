#if os(Linux)
import Glibc
import Godwit
import GodwitBackground
import GodwitStorage
import GodwitTesting
import GodwitTransferDaemon
import TestSupport
import Testing

@Suite("BackgroundSession: folder, environment and configuration of the process", .timeLimit(.minutes(15)))
struct ServicePlaceTests {
    private let bench = Bench()

    @Test("B8 the socket is next to the lock, whatever XDG_RUNTIME_DIR is")
    func socketPlace() throws {
        let desktop = ["HOME": "/home/me", "XDG_RUNTIME_DIR": "/run/user/1000"]
        let places = try TransferPlaces(variables: desktop)
        #expect(places == (try TransferPlaces(variables: ["HOME": "/home/me"])))
        #expect(places.socket.path == "/home/me/.local/state/godwit/transferd.socket")
        #expect(places.lock.deletingLastPathComponent() == places.socket.deletingLastPathComponent())
        #expect(try TransferPlaces(variables: [:], home: "/home/me") == places)
        #expect(try TransferPlaces(variables: ["HOME": "relative"], home: "/home/me") == places)
        #expect(throws: NetworkError.self) { try TransferPlaces(variables: [:], home: nil) }
    }

    @Test("B8 a folder with a path longer than a socket address works")
    func longPath() async throws {
        let name = String(repeating: "x", count: 150)
        let folder = bench.path("\(name)/\(name)")
        let server = try await MockServer { route in route.any("*").reply(.text("content")) }
        let session = bench.session {
            $0.directory = folder
            $0.idleTime = .seconds(1)
        }
        try await session.download(bench.request(server, "/a"), to: bench.path("a"))
        #expect(try await session.nextEvent()?.outcome == .downloaded(bench.path("a")))
        #expect(FileManager.default.fileExists(atPath: folder.appending(path: "transferd.socket").path))
        session.leave()
        await eventually { DaemonLock(TransferPlaces(folder: folder).lock) != nil }
    }

    @Test("B8 a queue under a symbolic link works, in the link's target")
    func linked() async throws {
        try FileManager.default.createDirectory(
            at: bench.queue, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try FileManager.default.createSymbolicLink(atPath: bench.path("link").path, withDestinationPath: "queue")
        let server = try await MockServer { route in route.any("*").reply(.text("content")) }
        let session = bench.session { $0.directory = bench.path("link") }
        try await session.download(bench.request(server, "/a"), to: bench.path("a"))
        #expect(try await session.nextEvent()?.outcome == .downloaded(bench.path("a")))
        // The same process, by either name.
        #expect(try await bench.session().missedEvents().count == 1)
        #expect(bench.daemon != nil)
    }

    @Test("B8 the process doesn't inherit the environment of the program that started it")
    func environment() async throws {
        let server = try await MockServer { route in route.any("*").reply(.text("content")) }
        let dead = "http://127.0.0.1:1"
        let starter = try Spawned([
            "/usr/bin/env", "http_proxy=\(dead)", "ALL_PROXY=\(dead)", "API_TOKEN=s3cret", "LD_DEBUG_OUTPUT=/none",
            "LC_ALL=C", "SSL_CERT_FILE=/none", "XDG_RUNTIME_DIR=/none", "HOME=\(bench.folder.path)", Bench.client.path,
            "add", bench.queue.path, Bench.program.path, "test", "\(server.url)/a", bench.folder.path,
        ])
        #expect(await starter.said() == "added\n")
        let session = bench.session()
        // Not by the proxy of the first program.
        #expect(try await session.nextEvent()?.outcome == .downloaded(bench.path("a")))
        let daemon = try #require(bench.daemon)
        let environment = try String(contentsOf: URL(filePath: "/proc/\(daemon)/environ"), encoding: .utf8)
        let names = environment.split(separator: "\0").compactMap { $0.split(separator: "=").first.map(String.init) }
        #expect(Set(names).isSubset(of: ["PATH", "HOME", "USER", "LOGNAME"]), "\(names)")
        #expect(!environment.contains("s3cret"))
        #expect(!environment.contains(bench.folder.path))
        await starter.kill()
    }

    @Test("B8 a relaunched program gets its paths and language, and no other variables")
    func relaunchEnvironment() {
        let own = [
            "PATH": "/opt/bin", "LANG": "de_DE.UTF-8", "DISPLAY": ":0", "XDG_RUNTIME_DIR": "/run/user/7", "HOME": "/h",
            "API_TOKEN": "s3cret", "http_proxy": "http://u:p@proxy", "LD_PRELOAD": "x.so", "SSH_AUTH_SOCK": "/s",
        ]
        let settings = TransferSettings(relaunch: ["/bin/true"], of: own)
        #expect(Set((settings.variables ?? [:]).keys) == ["PATH", "LANG", "DISPLAY", "XDG_RUNTIME_DIR", "HOME"])
        #expect(TransferSettings(relaunch: [], of: own).variables == nil)
        #expect(settings.fault == nil)
        #expect(TransferSettings(relaunch: ["true"]).fault != nil)
        for name in ["", "A=B", "A\0"] {
            #expect(TransferSettings(relaunch: ["/x"], variables: [name: ""]).fault != nil)
        }
    }

    @Test("B8 the configuration file sets the proxy and the number of parallel jobs")
    func configuration() async throws {
        let proxy = try await MockServer { route in route.any("*").reply(.text("by proxy")) }
        try FileManager.default.createDirectory(
            at: bench.queue, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let file = bench.places.configuration
        try Data(#"{"proxy":"\#(proxy.url)","noProxy":["127.0.0.2"],"parallelJobs":1}"#.utf8).write(to: file)
        chmod(file.path, 0o600)
        let session = bench.session { $0.plaintextHosts = ["api.example.com"] }
        let request = HTTPRequest(url: try HTTPURL("http://api.example.com/a"))
        try await session.download(request, to: bench.path("a"))
        #expect(try await session.nextEvent()?.outcome == .downloaded(bench.path("a")))
        #expect(bench.data("a") == Data("by proxy".utf8))
    }

    @Test(
        "B8 an invalid configuration, or one that others can read, is reported",
        arguments: [
            ("{", 0o600), ("[]", 0o600), (#"{"parallelJobs":0}"#, 0o600), (#"{"idleSeconds":0}"#, 0o600), ("{}", 0o644),
        ])
    func badConfiguration(text: String, mode: Int) async throws {
        try FileManager.default.createDirectory(
            at: bench.queue, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: bench.places.configuration)
        chmod(bench.places.configuration.path, mode_t(mode))
        do {
            _ = try await bench.session().jobs()
            Issue.record("it was taken")
        } catch {
            #expect(error.description.contains("transferd.json"), "\(error)")
        }
    }

    @Test("B8 a queue of a newer version is left unchanged, and reported")
    func newerQueue() async throws {
        let server = try await MockServer { route in route.any("*").reply(.hang) }
        let session = bench.session()
        try await session.download(bench.request(server, "/a"), to: bench.path("a"))
        await bench.killDaemon()
        session.leave()
        do {
            let file = try SQLiteConnection(path: bench.places.queue.path, patience: 1000)
            try file.execute("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let before = try Data(contentsOf: bench.places.queue)
        for _ in 0..<2 {
            do {
                _ = try await session.jobs()
                Issue.record("it was taken")
            } catch {
                guard case .file(let reason) = error.kind else {
                    Issue.record("\(error)")
                    return
                }
                #expect(reason.contains("written by a newer godwit-transferd, and is left unchanged"))
                #expect(reason.contains(bench.places.queue.path))
            }
        }
        #expect(try Data(contentsOf: bench.places.queue) == before)
        #expect(!FileManager.default.fileExists(atPath: bench.places.queue.path + ".damaged"))
    }

    @Test("B8 a damaged queue is reported to the program, once")
    func damagedQueue() async throws {
        try FileManager.default.createDirectory(
            at: bench.queue, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try Data("no database".utf8).write(to: bench.places.queue)
        let diagnostics = Diagnostics()
        for name in ["one", "two"] {
            let session = BackgroundSession(identifier: name, diagnostics: diagnostics) {
                $0.directory = bench.queue
                $0.program = Bench.program
            }
            #expect(try await session.jobs().isEmpty)
        }
        #expect(diagnostics.recent.map(\.store) == [.transfers])
        #expect(diagnostics.recent.map(\.problem) == [.damaged])
        #expect(diagnostics.recent.first?.detail.hasSuffix("transfers.sqlite.damaged") == true)
    }
}
#endif
