public import GodwitCore

/// Configures a ``BackgroundSession``: how it finds the process that transfers, and rules for its jobs.
public struct BackgroundConfiguration: Sendable, Hashable {
    /// The folder of the queue and the socket. `nil` (the default) means the user's folder.
    ///
    /// Sessions with the same folder share a process. The default is `$XDG_STATE_HOME/godwit`, else
    /// `~/.local/state/godwit`. On Apple platforms jobs and events are saved there, by default in Application Support.
    public var directory: URL?

    /// The program that transfers. `nil` (the default) means `godwit-transferd` in the folder of this program, else on the
    /// PATH.
    ///
    /// No effect on Apple platforms.
    public var program: URL?

    /// The program to start, with its arguments, when all jobs have ended and this program is not running. Empty by default.
    ///
    /// The first element is an absolute path. No shell is involved. The program gets the session's identifier in
    /// `GODWIT_BACKGROUND_SESSION`, and is not started again until ``BackgroundSession/finish()`` or a new job.
    ///
    /// No effect on Apple platforms, where only this app can be started: see ``sessionSendsLaunchEvents``.
    public var relaunch: [String] = []

    /// Whether the system resumes or launches the app in the background when jobs have ended. `true` by default, as in
    /// `URLSessionConfiguration`.
    ///
    /// No effect on Linux, where ``relaunch`` names the program to start.
    public var sessionSendsLaunchEvents = true

    /// The hosts that jobs of this session may reach over plain HTTP, in addition to this machine. Empty by default.
    public var plaintextHosts: Set<String> = []

    /// How long the process stays idle before it ends, if this session starts it. 60 seconds by default, at least one second.
    ///
    /// No effect on Apple platforms.
    public var idleTime = Duration.seconds(60)

    /// How many jobs run at once, if this session starts the process: 1 to 64. 4 by default.
    ///
    /// On Apple platforms, how many connections per host are used at once.
    public var parallelJobs = 4

    /// The app group in whose container the system saves received files, for an app extension. `nil` by default.
    ///
    /// No effect on Linux.
    public var sharedContainerIdentifier: String?

    /// Creates a configuration with default values.
    public init() {}
}
