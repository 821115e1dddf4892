#if os(Linux)
import Glibc
import Godwit
import GodwitBackground
import TestSupport
import Testing

@Suite("BackgroundService: systemd units", .timeLimit(.minutes(15)))
struct ServiceUnitTests {
    private let bench: Bench

    init() throws {
        bench = Bench()
        try FileManager.default.createDirectory(at: bench.path("bin"), withIntermediateDirectories: false)
    }

    private var units: URL { bench.path(".config/systemd/user") }
    private var calls: [String] {
        String(decoding: bench.data("calls") ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func text(_ name: String) -> String? {
        try? String(contentsOf: units.appending(path: name), encoding: .utf8)
    }

    /// Puts a `systemctl` on the PATH that writes down its arguments, and ends with a code.
    private func fakeSystemctl(code: Int = 0) async throws {
        let script = "#!/bin/sh\necho \"$@\" >>\(bench.path("calls").path)\nexit \(code)\n"
        // By another program: a copy of our descriptor, in a program that another test just starts, would keep it busy.
        let line = #"printf %s "$0" >"$1" && chmod 755 "$1""#
        let writer = try ChildProgram(["/bin/sh", "-c", line, script, bench.path("bin/systemctl").path])
        try #require(await writer.end() == 0)
    }

    private func service(_ directory: URL? = nil) -> BackgroundService {
        var configuration = BackgroundConfiguration()
        configuration.directory = directory ?? bench.queue
        configuration.program = Bench.program
        let variables = ["HOME": bench.folder.path, "PATH": bench.path("bin").path]
        return BackgroundService(configuration, variables: variables)
    }

    @Test("B8 install writes and enables the units; uninstall removes them")
    func install() async throws {
        try await fakeSystemctl()
        #expect(try service().status().files.isEmpty)
        let installed = try await service().install()
        #expect(installed.managerFault == nil)
        #expect(installed.isCurrent)
        #expect(installed.process == nil)
        #expect(installed.files.map(\.lastPathComponent) == ["godwit-transferd.service", "godwit-transferd.socket"])
        #expect(
            calls == [
                "--user daemon-reload", "--user enable godwit-transferd.service godwit-transferd.socket",
                "--user restart godwit-transferd.socket",
            ])
        let unit = try #require(text("godwit-transferd.service"))
        let command =
            #"ExecStart="\#(Bench.program.path)" "--directory" "\#(bench.queue.path)" "--idle" "60" "--parallel" "4""#
        #expect(unit.contains(command + "\n"))
        #expect(unit.contains("WantedBy=default.target\n"))
        #expect(unit.contains("KillMode=process\n"))
        let socket = try #require(text("godwit-transferd.socket"))
        #expect(socket.contains("ListenStream=\(bench.places.socket.path)\nSocketMode=0600\nDirectoryMode=0700\n"))
        #expect(socket.contains("WantedBy=sockets.target\n"))

        let removed = try await service().uninstall()
        #expect(removed.files.isEmpty)
        #expect(
            calls.suffix(2) == [
                "--user disable --now godwit-transferd.service godwit-transferd.socket", "--user daemon-reload",
            ])
        #expect(try await service().uninstall().managerFault == nil)
    }

    @Test(
        "B8 if systemctl is missing or fails, the files are written and the reason is returned",
        arguments: [false, true])
    func noManager(isThere: Bool) async throws {
        if isThere { try await fakeSystemctl(code: 1) }
        let status = try await service().install()
        #expect(status.isCurrent)
        #expect(
            status.managerFault
                == (isThere ? "systemctl --user daemon-reload failed with exit code 1" : "systemctl is not on the PATH")
        )
    }

    @Test("B8 paths are escaped in units")
    func escaping() async throws {
        try await fakeSystemctl()
        let status = try await service(bench.path(#"a b%h$HOME"c'\d;"#)).install()
        #expect(status.isCurrent)
        let unit = try #require(text("godwit-transferd.service"))
        #expect(unit.contains(#""\#(bench.folder.path)/a b%%h$$HOME\"c'\\d;""#))
        let socket = try #require(text("godwit-transferd.socket"))
        #expect(socket.contains(#"ListenStream=\#(bench.folder.path)/a b%%h$HOME"c'\d;/transferd.socket"#))
        await #expect(throws: NetworkError.self) { try await service(bench.path("a\nExecStartPre=x")).install() }
    }

    @Test("B8 for a path that systemd can't listen on, there is no socket unit")
    func longPath() async throws {
        try await fakeSystemctl()
        _ = try await service().install()
        let long = bench.path(String(repeating: "x", count: 100))
        let status = try await service(long).install()
        #expect(status.isCurrent)
        #expect(status.files.map(\.lastPathComponent) == ["godwit-transferd.service"])
        #expect(calls.last == "--user restart godwit-transferd.service")
    }

    @Test("B8 files of others are neither replaced nor removed")
    func foreign() async throws {
        try await fakeSystemctl()
        try FileManager.default.createDirectory(at: units, withIntermediateDirectories: true)
        let file = units.appending(path: "godwit-transferd.service")
        try Data("[Service]\nExecStart=/bin/true\n".utf8).write(to: file)
        await #expect(throws: NetworkError.self) { try await service().install() }
        await #expect(throws: NetworkError.self) { try await service().uninstall() }
        #expect(text("godwit-transferd.service") == "[Service]\nExecStart=/bin/true\n")
        #expect(calls.isEmpty)
    }

    @Test("B8 status reports the running process, and install asks it to hand over")
    func running() async throws {
        try await fakeSystemctl()
        let session = bench.session()
        #expect(try await session.jobs().isEmpty)
        let process = bench.daemon
        #expect(try service().status().process == process)
        #expect(try service().status().isOutdated == false)
        session.leave()
        let status = try await service().install()
        #expect(status.managerFault == nil)
        #expect(status.process == nil)
        #expect(calls.last == "--user restart godwit-transferd.socket")
    }
}
#endif
