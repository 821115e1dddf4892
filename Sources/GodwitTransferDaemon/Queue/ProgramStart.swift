#if os(Linux)
import GodwitBackground

/// Starts the program of a session.
enum ProgramStart {
    /// Starts it as its words say, never by a shell, in a session of its own. Its end is waited for aside.
    ///
    /// - Parameter settings: What to start, and with which variables beside this process's own.
    static func perform(_ settings: TransferSettings, for session: String, log: TransferLog) {
        var variables = ProcessInfo.processInfo.environment.merging(settings.variables ?? [:]) { _, program in program }
        variables["GODWIT_BACKGROUND_SESSION"] = session
        ChildProcess.keepDescriptors(from: 3)
        var child = ChildProcess(settings.relaunch, variables: variables)
        child.leadsSession = true
        guard let process = child.start() else { return log.note("a session's program cannot be started") }
        log.note("a session's program is started")
        guard let thread = SystemThread({ ChildProcess.wait(for: process) }) else { return }
        thread.detach()
    }
}
#endif
