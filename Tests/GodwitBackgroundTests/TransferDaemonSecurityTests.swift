#if os(Linux)

import Glibc
import Godwit
import GodwitBackground
import GodwitSupport
import GodwitTesting
import TestSupport
import Testing

@Suite("BackgroundSession: access and stored data")
struct TransferDaemonSecurityTests {
    private let bench = Bench()

    private func connected() async throws -> LocalSocket {
        _ = try await bench.session().jobs()
        let path = bench.places.socket.path
        return try #require(LocalSocket.connected(to: path, lineLimit: TransferReply.lineLimit))
    }

    private static func answer(_ socket: LocalSocket, to line: Data) async throws -> TransferReply? {
        #expect(socket.write(line))
        let answer = await BlockingWork.run { try? socket.line() }
        return try answer.map { try JSONDecoder().decode(TransferReply.self, from: $0) }
    }

    @Test("B8 only this user can access folder, socket, queue and log")
    func modes() async throws {
        _ = try await connected()
        func mode(_ url: URL) -> mode_t? {
            var status = stat()
            return lstat(url.path, &status) == 0 ? status.st_mode & 0o7777 : nil
        }
        #expect(mode(bench.queue) == 0o700)
        for url in [bench.places.socket, bench.places.queue, bench.places.lock, bench.places.log] {
            #expect(mode(url) == 0o600)
        }
    }

    @Test("B8 a folder that others can access is rejected")
    func openFolder() async throws {
        try FileManager.default.createDirectory(at: bench.queue, withIntermediateDirectories: false)
        chmod(bench.queue.path, 0o755)
        do {
            _ = try await bench.session().jobs()
            Issue.record("it was taken")
        } catch {
            #expect(error.description.contains("chmod 700"))
        }
    }

    @Test("B8 another user on the socket gets no reply", .enabled(if: geteuid() == 0, "needs root"))
    func anotherUser() async throws {
        _ = try await connected()
        for path in [bench.folder.path, bench.queue.path] { chmod(path, 0o755) }
        chmod(bench.places.socket.path, 0o666)
        let own = try Spawned([Bench.client.path, "raw", "0", bench.places.socket.path])
        let answer = await own.said()
        #expect(Int(answer.dropLast()) ?? 0 > 10)
        _ = await own.end()
        let other = try Spawned([Bench.client.path, "raw", "65534", bench.places.socket.path])
        #expect(await other.said() == "0\n")
        #expect(await other.end() == 0)
    }

    @Test("B8 a process of another user gets no command", .enabled(if: geteuid() == 0, "needs root"))
    func impostor() async throws {
        try FileManager.default.createDirectory(at: bench.queue, withIntermediateDirectories: false)
        for path in [bench.folder.path, bench.queue.path] { chmod(path, 0o777) }
        let impostor = try Spawned([Bench.client.path, "listen", "65534", bench.places.socket.path])
        #expect(await impostor.said() == "listening\n")
        var request = HTTPRequest(url: try HTTPURL("http://127.0.0.1:1/a"))
        request.fields[.authorization] = "Bearer s3cret"
        await #expect(throws: NetworkError.self) { try await bench.session().download(request, to: bench.path("a")) }
        #expect(await impostor.said() == "0\n")
        #expect(await impostor.end() == 0)
    }

    @Test("B8 a folder of another user is rejected", .enabled(if: geteuid() == 0, "needs root"))
    func foreignFolder() async throws {
        try FileManager.default.createDirectory(at: bench.queue, withIntermediateDirectories: false)
        chmod(bench.queue.path, 0o700)
        chown(bench.queue.path, 65_534, 65_534)
        do {
            _ = try await bench.session().jobs()
            Issue.record("it was taken")
        } catch {
            #expect(error.description.contains("another user"))
        }
    }

    @Test("B8 a folder has one process, even if many start together")
    func one() async throws {
        let sessions = (0..<8).map { bench.session("s\($0)") }
        let numbers = await withTaskGroup(of: pid_t?.self) { group in
            for session in sessions {
                group.addTask { [bench] in
                    _ = try? await session.jobs()
                    return bench.daemon
                }
            }
            return await group.reduce(into: Set<pid_t?>()) { $0.insert($1) }
        }
        #expect(numbers.count == 1)
        let second = try Spawned([Bench.program.path, "--directory", bench.queue.path])
        #expect(await second.end() == 0)
        #expect(Set([bench.daemon]) == numbers)
    }

    @Test(
        "B8 an invalid line is rejected, and the next one is answered",
        arguments: [
            "", "{", "null", "[]", "{}", "\u{0}", #"{"version":1}"#, #"{"version":1,"command":"list"}"#,
            #"{"version":1,"command":"rm","session":"test"}"#,
            #"{"version":"1","command":"list","session":"test","after":0}"#,
            #"{"version":1,"command":"list","session":"","after":0}"#,
            #"{"version":1,"command":"list","session":"a\u0000b","after":0}"#,
            #"{"version":1,"command":"list","session":"test","after":"x"}"#,
            #"{"version":1,"command":"list","session":"test","after":1e400}"#,
            #"{"version":1,"command":"pause","session":"test","job":"x"}"#,
            #"{"version":1,"command":"pause","session":"test","job":"6F9619FF-8B86-D011-B42D-00CF4FC964FF"}"#,
            #"{"version":1,"command":"add","session":"test","spec":{}}"#,
            #"{"version":1,"command":"open","session":"test","settings":{"relaunch":["sh"]}}"#,
            "\u{FF}\u{FE}",
        ])
    func hostile(line: String) async throws {
        try await isRefused(line)
    }

    @Test("B8 a deeply nested line does no harm", arguments: ["[", #"{"a":"#, #"[{"a":["#])
    func nested(piece: String) async throws {
        try await isRefused(String(repeating: piece, count: 100_000))
    }

    private func isRefused(_ line: String) async throws {
        let socket = try await connected()
        let daemon = bench.daemon
        // Lines of nothing are passed over.
        if !line.isEmpty {
            let refusal = try await Self.answer(socket, to: Data(line.utf8))?.refusal
            #expect(refusal != nil)
        }
        let sound = Data(#"{"version":1,"command":"list","session":"test","after":0}"#.utf8)
        #expect(try await Self.answer(socket, to: sound)?.jobs == [])
        #expect(bench.daemon == daemon)
    }

    @Test("B8 another protocol version is rejected with its own code")
    func version() async throws {
        let line = Data(#"{"version":4,"command":"list","session":"test","after":0}"#.utf8)
        #expect(try await Self.answer(connected(), to: line)?.refusal?.code == .version)
    }

    @Test(
        "B8 an invalid or harmful job is rejected",
        arguments: [
            ("path", #""relative""#), ("path", #""/tmp/a\u0000b""#), ("url", #""ftp://127.0.0.1/a""#), ("url", #""""#),
            ("method", #""G E T""#), ("fields", #"[["a b","c"]]"#), ("fields", #"[["a","b\r\nc"]]"#),
            ("fields", #"[["a"]]"#), ("timeLimit", "0"), ("timeLimit", "-1"), ("timeLimit", "1e300"),
            ("direction", #""sideways""#), ("id", #""x""#), ("connectTimeout", "-5"),
        ])
    func job(member: String, value: String) async throws {
        var members = [
            "id": #""6F9619FF-8B86-D011-B42D-00CF4FC964FF""#, "direction": #""download""#, "method": #""GET""#,
            "url": #""http://127.0.0.1:1/a""#, "fields": "[]", "path": #""/tmp/a""#, "existingFile": #""fail""#,
            "isDiscretionary": "false", "networks": "7", "timeLimit": "60",
        ]
        members[member] = value
        let spec = members.map { "\"\($0)\":\($1)" }.joined(separator: ",")
        let line = Data(#"{"version":1,"command":"add","session":"test","spec":{\#(spec)}}"#.utf8)
        let socket = try await connected()
        #expect(try await Self.answer(socket, to: line)?.refusal?.code == .invalid)
        #expect(try await bench.session().jobs().isEmpty)
    }

    @Test("B8 an endless line ends its connection, and others are served")
    func endless() async throws {
        let socket = try await connected()
        let part = Data(repeating: UInt8(ascii: "x"), count: TransferCommand.lineLimit + 2)
        #expect(try await Self.answer(socket, to: part)?.refusal?.code == .invalid)
        #expect(await BlockingWork.run { (try? socket.line()) == nil })
        #expect(try await bench.session().jobs().isEmpty)
    }

    @Test("B8 a session does not touch the jobs of another")
    func others() async throws {
        let server = try await MockServer { route in route.any("*").reply(.hang) }
        let session = bench.session()
        let id = try await session.download(bench.request(server, "/a"), to: bench.path("a"))
        _ = try await server.waitForRequests()
        for call in [BackgroundSession.pause, BackgroundSession.cancel] {
            await #expect(throws: NetworkError.self) { try await call(bench.session("another"))(id) }
        }
        #expect(try await session.state(of: id) == .running)
        #expect(try await bench.session("another").jobs().isEmpty)
    }

    @Test("B8 credentials are only in the queue, until the job has ended")
    func secrets() async throws {
        let turn = Turn()
        let server = try await MockServer { route in
            route.any("*").reply { _ in turn.next() == 0 ? .hang : .text("x") }
        }
        var request = try bench.request(server, "/a?api_key=hidden1")
        request.fields[.authorization] = "Bearer hidden2"
        let session = bench.session()
        let id = try await session.download(request, to: bench.path("a"))
        _ = try await server.waitForRequests()
        let job = try #require(try await session.jobs().first)
        #expect(!"\(job)".contains("hidden"))
        #expect(job.url.hasSuffix("/a?api_key=<redacted>"))
        #expect(try holds("hidden2", "transfers.sqlite"))
        await bench.killDaemon()
        let event = try #require(try await session.nextEvent())
        #expect(event.job == id)
        #expect(server.requests.map { $0.fields[.authorization] } == ["Bearer hidden2", "Bearer hidden2"])
        // Not even in the log of the database.
        #expect(try !holds("hidden2", "transfers.sqlite"))
        try await session.acknowledge(event)
        #expect(try !holds("hidden", "transferd.log"))
        #expect(try holds("\(id)", "transferd.log"))
    }

    /// Whether a text stands in one of the files of this name, the log of the database included.
    private func holds(_ text: String, _ name: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: bench.queue.path).filter { $0.hasPrefix(name) }
            .contains { name in
                let data = try Data(contentsOf: bench.queue.appending(path: name))
                return String(decoding: data, as: UTF8.self).contains(text)
            }
    }
}
#endif
