#if os(Linux)
import GodwitBackground

/// Starts the program of a session.
enum ProgramStart {
    /// Starts it as its words say, never by a shell, in a session of its own. Its end is waited for aside.
    static func perform(_ words: [String], for session: String, log: TransferLog) {
        var variables = ProcessInfo.processInfo.environment
        variables["GODWIT_BACKGROUND_SESSION"] = session
        ChildProcess.keepDescriptors(from: 3)
        var child = ChildProcess(words, variables: variables)
        child.leadsSession = true
        guard let process = child.start() else { return log.note("a session's program cannot be started") }
        log.note("a session's program is started")
        guard let thread = SystemThread({ ChildProcess.wait(for: process) }) else { return }
        thread.detach()
    }
}
#endif
