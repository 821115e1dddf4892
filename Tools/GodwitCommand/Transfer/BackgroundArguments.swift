import Godwit
import GodwitBackground

/// The queue and the conditions of background jobs.
struct BackgroundArguments: Sendable {
    var session = "godwit"
    /// The folder with the queue and its socket; `nil` means the user's default.
    var folder: String?
    var isDiscretionary = false

    /// Returns the session that the options name.
    ///
    /// - Parameters:
    ///   - hosts: The hosts that plain http may go to.
    ///   - diagnostics: Receives problems of the queue.
    func makeSession(plaintextHosts hosts: Set<String> = [], _ diagnostics: Diagnostics) -> BackgroundSession {
        BackgroundSession(identifier: session, diagnostics: diagnostics) { configuration in
            configuration.directory = folder.map { URL(filePath: $0, directoryHint: .isDirectory) }
            configuration.plaintextHosts = hosts
        }
    }

    static let queueOptions: [Option<Self>] = [
        .value("--session", of: "NAME", help: "The session that owns the jobs. Default: godwit") { $0.session = $1 },
        .value("--queue", of: "DIR", help: "The folder of the queue, with mode 0700. Default: the user's") {
            $0.folder = $1
        },
    ]

    static let discretionary = Option<Self>.flag(
        "--discretionary", help: "With --background: wait for an unmetered network and an idle machine"
    ) { $0.isDiscretionary = true }
}
