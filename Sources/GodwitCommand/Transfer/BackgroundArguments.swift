import Godwit

/// Which background jobs a command is about.
struct BackgroundArguments: Sendable {
    var session = "godwit"
    /// The folder with queue and socket; nil for the user's own.
    var folder: String?
    var isDiscretionary = false

    /// The session that the command line names.
    ///
    /// - Parameters:
    ///   - hosts: Those that plain http may go to.
    ///   - diagnostics: Receives what the queue could not keep.
    func makeSession(plaintextHosts hosts: Set<String> = [], _ diagnostics: Diagnostics) -> BackgroundSession {
        BackgroundSession(identifier: session, diagnostics: diagnostics) { configuration in
            configuration.directory = folder.map { URL(filePath: $0, directoryHint: .isDirectory) }
            configuration.plaintextHosts = hosts
        }
    }
}

extension BackgroundArguments {
    /// Where the jobs are kept.
    static let places: [Option<Self>] = [
        .value("--session", of: "NAME", help: "whose jobs they are; godwit by default") { $0.session = $1 },
        .value("--queue", of: "DIR", help: "the folder with the queue, of mode 0700; the user's own by default") {
            $0.folder = $1
        },
    ]

    static let discretionary = Option<Self>.flag(
        "--discretionary", help: "in the background: waits for a network without costs and an idle machine"
    ) { $0.isDiscretionary = true }
}
