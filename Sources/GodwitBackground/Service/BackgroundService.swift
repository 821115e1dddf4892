#if os(Linux)

public import GodwitCore
import GodwitLibc
import GodwitSupport

/// Installs `godwit-transferd` as a systemd user service, which starts when the user logs in or a program connects.
///
/// Jobs then continue after a restart of the machine. Without it, the first program that uses a ``BackgroundSession`` starts
/// the process. On the command line, use `godwit transfers service`.
///
/// ```swift
/// let status = try await BackgroundService().install()
/// if let fault = status.managerFault { print(fault) }
/// ```
public struct BackgroundService: Sendable {
    /// The installed files and the running process.
    public struct Status: Sendable, Hashable {
        /// The installed unit files.
        public let files: [URL]
        /// Whether the files are the same as ``BackgroundService/install()`` would write.
        public let isCurrent: Bool
        /// The ID of the running process; `nil` if it isn't running.
        public let process: Int32?
        /// Whether the running process is older than this library. The next call that needs it starts a newer one.
        public let isOutdated: Bool
        /// Why the change isn't complete: `systemctl` failed, or a running process is still sending an upload. `nil` if
        /// it is.
        ///
        /// The files are still installed. systemd reads them at the next login.
        public var managerFault: String?
    }

    private let configuration: BackgroundConfiguration
    private let variables: [String: String]

    /// Creates an installer of the service. Changes nothing yet.
    ///
    /// - Parameters:
    ///   - configuration: Its folder, program, idle time and number of jobs are used.
    ///   - variables: The environment in which the unit folder and `systemctl` are found.
    public init(
        _ configuration: BackgroundConfiguration = BackgroundConfiguration(),
        variables: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.configuration = configuration
        self.variables = variables
    }

    /// Writes the unit files, asks a running process to hand over, and enables the units.
    ///
    /// The process runs while the user is logged in, or always after `loginctl enable-linger`.
    ///
    /// - Returns: The new status. ``Status/managerFault`` says why `systemctl` failed.
    /// - Throws: `.file` if `godwit-transferd` is missing, or the files can't be written.
    public func install() async throws(NetworkError) -> Status {
        let (units, folder) = (try units, try unitFolder)
        try makeFolder(folder)
        let wanted = Set(units.files.map(\.name))
        for name in Self.names where !wanted.contains(name) { try remove(folder.appending(path: name)) }
        for (name, text) in units.files {
            let file = folder.appending(path: name)
            try checkOwnership(of: file)
            try PrivateFile(file).replace(with: Data(text.utf8))
        }
        let (names, socket) = (
            units.files.map(\.name), units.socket == nil ? SystemdUnits.serviceName : SystemdUnits.socketName
        )
        let fault = await BlockingWork.run { [self] () -> String? in
            guard let fault = manager.fault(["daemon-reload"]) ?? manager.fault(["enable"] + names) else {
                if let process = release() {
                    return "process \(process) is still sending an upload that must not be sent twice"
                }
                return manager.fault(["restart", socket])
            }
            return fault
        }
        return try status(fault)
    }

    /// Disables the units and removes their files. A running process ends when its queue is empty.
    ///
    /// - Returns: The new status.
    /// - Throws: `.file` if a file can't be removed, or was not written by ``install()``.
    public func uninstall() async throws(NetworkError) -> Status {
        let folder = try unitFolder
        let files = Self.names.map { folder.appending(path: $0) }.filter { Self.exists($0) }
        guard !files.isEmpty else { return try status() }
        for file in files { try checkOwnership(of: file) }
        let fault = await BlockingWork.run { [manager] in
            manager.fault(["disable", "--now"] + files.map(\.lastPathComponent))
        }
        for file in files { try remove(file) }
        let reloading = await BlockingWork.run { [manager] in manager.fault(["daemon-reload"]) }
        return try status(fault ?? reloading)
    }

    /// The installed files and the running process. Starts nothing.
    public func status() throws(NetworkError) -> Status {
        try status(nil)
    }

    private static let names = [SystemdUnits.serviceName, SystemdUnits.socketName]

    private func status(_ fault: String?) throws(NetworkError) -> Status {
        let folder = try unitFolder
        let files = Self.names.map { folder.appending(path: $0) }.filter { Self.exists($0) }
        let holder = LockRecord.holder(of: try configuration.places.lock)
        let wanted = (try? units)?.files ?? []
        let isCurrent =
            !wanted.isEmpty && files.count == wanted.count
            && wanted.allSatisfy {
                (try? String(contentsOf: folder.appending(path: $0.name), encoding: .utf8)) == $0.text
            }
        return Status(
            files: files, isCurrent: isCurrent, process: holder?.process,
            isOutdated: (holder?.release ?? .max) < TransferRelease.current, managerFault: fault)
    }

    private var units: SystemdUnits {
        get throws(NetworkError) {
            try SystemdUnits(
                program: DaemonLauncher.program(configuration, variables), places: configuration.places,
                idle: Int(configuration.idleSeconds), parallel: configuration.parallelLimit)
        }
    }

    private var manager: Systemctl { Systemctl(variables: variables) }

    /// The folder of the user's units (systemd.unit(5)).
    private var unitFolder: URL {
        get throws(NetworkError) {
            let paths = [variables["XDG_CONFIG_HOME"], variables["HOME"].map { $0 + "/.config" }]
            guard let path = paths.compactMap(\.self).first(where: { $0.hasPrefix("/") }) else {
                throw Self.failure("neither XDG_CONFIG_HOME nor HOME is set, so the unit folder is unknown")
            }
            return URL(filePath: path, directoryHint: .isDirectory).appending(path: "systemd/user")
        }
    }

    /// Ends a running process, so that systemd's takes over. Returns the ID of a process that stays.
    private func release() -> Int32? {
        guard let places = try? configuration.places,
            let socket = LocalSocket.connected(to: places.socket.path, lineLimit: TransferCommand.lineLimit),
            let line = try? JSONEncoder().encode(TransferCommand.handOver("godwit-transferd", release: .max))
        else { return nil }
        socket.setPatience(reading: 5, writing: 5)
        if socket.write(line) { _ = try? socket.line() }
        let start = ContinuousClock.now
        while let holder = LockRecord.holder(of: places.lock) {
            guard ContinuousClock.now - start < .seconds(5) else { return holder.process }
            usleep(20_000)
        }
        return nil
    }

    private func makeFolder(_ folder: URL) throws(NetworkError) {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Self.failure("cannot create the folder \(folder.path)")
        }
    }

    /// Throws if a file of this name was not written by ``install()``.
    private func checkOwnership(of file: URL) throws(NetworkError) {
        guard Self.exists(file) else { return }
        let text = try? String(contentsOf: file, encoding: .utf8)
        guard text?.hasPrefix(SystemdUnits.mark) == true else {
            throw Self.failure("\(file.path) was not written by godwit; remove it first")
        }
    }

    private func remove(_ file: URL) throws(NetworkError) {
        try checkOwnership(of: file)
        guard unlink(file.path) == 0 || errno == ENOENT else {
            throw Self.failure("cannot remove \(file.path): \(String(cString: strerror(errno)))")
        }
    }

    /// Also of a link that leads nowhere.
    private static func exists(_ file: URL) -> Bool {
        var status = stat()
        return lstat(file.path, &status) == 0
    }

    private static func failure(_ reason: String) -> NetworkError {
        NetworkError(.file(reason: reason), phase: .building)
    }
}
#endif
