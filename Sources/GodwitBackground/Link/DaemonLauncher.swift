#if os(Linux)
import GodwitCore
import GodwitLibc

/// Starts `godwit-transferd`.
struct DaemonLauncher: Sendable {
    private static let name = "godwit-transferd"
    /// How long the process may take to start, in milliseconds.
    private static let patience: Int32 = 20_000

    let places: TransferPlaces
    let configuration: BackgroundConfiguration
    /// This process's environment, whose PATH is searched for the program.
    let variables: [String: String]

    /// Starts the process, and returns when programs can connect, even if another program started it first. Blocks.
    ///
    /// Throws `.file` if the program is missing, or reports why it can't run.
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
        // The first process starts another one in a new session, whose parent is init, and ends.
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

    /// The path of the program. Throws `.file` if it is not found.
    static func program(
        _ configuration: BackgroundConfiguration, _ variables: [String: String]
    ) throws(NetworkError) -> String {
        if let program = configuration.program { return program.absoluteURL.path }
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let ownFolder = own.map { URL(filePath: $0).deletingLastPathComponent().path }
        // Relative parts of the PATH would depend on the current directory.
        let parts = (variables["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        for folder in [ownFolder].compactMap(\.self) + parts {
            let path = "\(folder)/\(name)"
            if access(path, X_OK) == 0 { return path }
        }
        throw failure("\(name) is neither in the folder of this program nor on the PATH")
    }

    /// The first line that the process writes to the pipe.
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

/// The environment of `godwit-transferd`, which doesn't depend on the program that starts it.
///
/// Otherwise proxies, library paths, certificate files, language and secrets of that program would affect the jobs of all
/// others. Settings come from the configuration file and the jobs.
package enum DaemonEnvironment {
    /// The folders of system programs.
    private static let path = "/usr/local/bin:/usr/bin:/bin"

    /// The environment, given that of the process that starts it.
    package static func variables(of starter: [String: String]) -> [String: String] {
        var own = ["PATH": path]
        // A program may have changed HOME for itself.
        own["HOME"] = TransferPlaces.homeOfUser ?? starter["HOME"]
        for name in ["USER", "LOGNAME"] { own[name] = starter[name] }
        return own
    }
}
#endif
