#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitCore

/// Starts the transferring process where none runs.
struct DaemonLauncher: Sendable {
    private static let name = "godwit-transferd"
    /// For so long the process may take to start, in milliseconds.
    private static let patience: Int32 = 20_000

    let places: TransferPlaces
    let configuration: BackgroundConfiguration
    /// The variables of this process: the program is looked for on its PATH.
    let variables: [String: String]

    /// Starts it, and returns once programs can connect: also where another start was faster.
    ///
    /// Blocks. Throws `.file` where there is no such program, or it says why it cannot run.
    func launch() throws(NetworkError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Self.failure("cannot start \(Self.name)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let program = try Self.program(configuration, variables)
        var child = ChildProcess([program] + arguments, variables: DaemonEnvironment.variables(of: variables))
        child.descriptor = ends[1]
        let process = child.start()
        close(ends[1])
        guard let process else { throw Self.failure("cannot start \(program): \(String(cString: strerror(errno)))") }
        // The first process starts another, in a session of its own, and ends: that one has no parent but init.
        ChildProcess.wait(for: process)
        let answer = Self.answer(from: ends[0])
        guard answer == "ready" else {
            throw Self.failure(answer.isEmpty ? "\(program) did not start" : "\(program): \(answer)")
        }
    }

    private var arguments: [String] {
        [
            "--detach", "--directory", places.folder.path, "--idle", "\(configuration.idleSeconds)", "--parallel",
            "\(configuration.parallelLimit)",
        ]
    }

    /// The path of the program. Throws `.file` if there is none.
    static func program(
        _ configuration: BackgroundConfiguration, _ variables: [String: String]
    ) throws(NetworkError) -> String {
        if let program = configuration.program { return program.absoluteURL.path }
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let beside = own.map { URL(filePath: $0).deletingLastPathComponent().path }
        // A relative part of the PATH would mean whatever folder this program happens to be in.
        let parts = (variables["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        for folder in [beside].compactMap(\.self) + parts {
            let path = "\(folder)/\(name)"
            if access(path, X_OK) == 0 { return path }
        }
        throw failure("there is no \(name) beside this program or on the PATH")
    }

    /// What the process says before it closes the pipe or goes on without it.
    private static func answer(from descriptor: Int32) -> String {
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 512)
        while !text.contains(0x0A), text.count < 4096 {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let isThere = poll(&waiting, 1, patience)
            if isThere < 0, errno == EINTR { continue }
            guard isThere > 0 else { break }
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            text += chunk[..<count]
        }
        return String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    private static func failure(_ reason: String) -> NetworkError {
        NetworkError(.file(reason: reason), phase: .building)
    }
}

/// The environment of the transferring process: the same whoever starts it.
///
/// Proxies, library paths, certificate files, language and secrets of the program that happens to start it first would
/// else hold for the jobs of all others. What it has to know stands in its configuration, and with each job.
package enum DaemonEnvironment {
    /// Where system programs are.
    private static let path = "/usr/local/bin:/usr/bin:/bin"

    /// The variables that it has, made of those of the process that starts it.
    package static func variables(of starter: [String: String]) -> [String: String] {
        var own = ["PATH": path]
        // Who the user is, the system knows better than a program that changes HOME for its own ends.
        own["HOME"] = TransferPlaces.homeOfUser ?? starter["HOME"]
        for name in ["USER", "LOGNAME"] { own[name] = starter[name] }
        return own
    }
}
#endif
