#if os(Linux)
import Glibc
import Godwit
import GodwitBackground
import GodwitTesting
import TestSupport
import Testing

@Suite("BackgroundSession: sockets passed by systemd", .timeLimit(.minutes(15)))
struct PassedSocketTests {
    private let bench = Bench()

    @Test("B8 only sockets for this process count")
    func variables() {
        func count(_ variables: [String: String]) -> Int { PassedSockets.descriptors(variables, process: 77).count }
        #expect(PassedSockets.descriptors(["LISTEN_PID": "77", "LISTEN_FDS": "2"], process: 77) == [3, 4])
        #expect(count(["LISTEN_PID": "78", "LISTEN_FDS": "1"]) == 0)
        #expect(count(["LISTEN_FDS": "1"]) == 0)
        for text in ["0", "-1", "17", "x", "", "99999999999999999999"] {
            #expect(count(["LISTEN_PID": "77", "LISTEN_FDS": text]) == 0)
        }
    }

    /// Makes the socket that systemd would, and listens.
    private func makeSocket() throws -> Int32 {
        try FileManager.default.createDirectory(
            at: bench.queue, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let descriptor = socket(AF_UNIX, 1, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bench.places.socket.path.utf8) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(code == 0 && listen(descriptor, 16) == 0)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// Starts the process as systemd does, with a descriptor as number 3.
    private func activate(_ descriptor: Int32) throws -> ChildProgram {
        let line = #"exec /usr/bin/env LISTEN_FDS=1 LISTEN_PID=$$ "$0" --directory "$1" --idle 60 3<&0 0</dev/null"#
        return try ChildProgram(
            ["/bin/sh", "-c", line, Bench.program.path, bench.queue.path], ChildProgram.Streams(input: dup(descriptor)))
    }

    @Test("B8 the process serves a passed socket, and leaves it to the next one")
    func activation() async throws {
        let server = try await MockServer { route in route.any("*").reply(.text("content")) }
        let passed = try makeSocket()
        defer { close(passed) }
        let session = bench.session { $0.program = bench.path("missing") }
        for name in ["a", "b"] {
            // Programs may connect before there is a process: the system keeps the connection.
            async let added = session.download(bench.request(server, "/\(name)"), to: bench.path(name))
            let process = try activate(passed)
            _ = try await added
            let event = try #require(try await session.nextEvent())
            #expect(event.outcome == .downloaded(bench.path(name)))
            try await session.acknowledge(event)
            #expect(LockRecord.holder(of: bench.places.lock)?.process == process.number)
            session.leave()
            process.signal(SIGTERM)
            #expect(await process.end() == 0)
            #expect(FileManager.default.fileExists(atPath: bench.places.socket.path))
        }
    }

    @Test("B8 a passed descriptor that isn't a listening socket is rejected")
    func wrongDescriptor() async throws {
        try FileManager.default.createDirectory(
            at: bench.queue, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let process = try activate(open("/dev/null", O_RDONLY))
        #expect(await process.end() == 1)
    }

    @Test("B8 a process with a passed socket takes over from one started by a program")
    func takeover() async throws {
        let session = bench.session()
        #expect(try await session.jobs().isEmpty)
        let first = try #require(bench.daemon)
        session.leave()
        // As systemd does with the socket of a unit that is started.
        unlink(bench.places.socket.path)
        try FileManager.default.moveItem(at: bench.queue, to: bench.path("moved"))
        let passed = try makeSocket()
        defer { close(passed) }
        for name in ["transferd.lock", "transfers.sqlite", "transfers.sqlite-wal", "transfers.sqlite-shm"] {
            try? FileManager.default.moveItem(at: bench.path("moved/\(name)"), to: bench.queue.appending(path: name))
        }
        let process = try activate(passed)
        #expect(try await session.jobs().isEmpty)
        #expect(LockRecord.holder(of: bench.places.lock)?.process == process.number)
        #expect(first != process.number)
        session.leave()
        process.signal(SIGTERM)
        #expect(await process.end() == 0)
    }
}
#endif
