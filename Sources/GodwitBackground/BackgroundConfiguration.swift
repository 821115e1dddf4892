public import GodwitCore

/// How a ``BackgroundSession`` finds the process that transfers, and what holds for its jobs.
public struct BackgroundConfiguration: Sendable, Hashable {
    /// The folder with queue and socket; nil, the default, for the user's own.
    ///
    /// Sessions with one folder share one process. By default it is `$XDG_STATE_HOME/godwit`, else
    /// `~/.local/state/godwit`. On Apple's systems it is the folder where jobs and events are kept, by default in
    /// Application Support.
    public var directory: URL?

    /// The program that transfers; nil, the default, looks for `godwit-transferd` beside this program, then on the PATH.
    ///
    /// Has no effect on Apple's systems.
    public var program: URL?

    /// The program to start, with its arguments, when all jobs have ended while this program was away; empty, the
    /// default, for none.
    ///
    /// The first is an absolute path. It is started as it stands, never by a shell, with the session's identifier in
    /// `GODWIT_BACKGROUND_SESSION`, and not again until ``BackgroundSession/finish()`` or a new job.
    ///
    /// Has no effect on Apple platforms, where only this app can be started: see ``sessionSendsLaunchEvents``.
    public var relaunch: [String] = []

    /// Whether the system resumes or launches the app in the background when jobs have ended. `true` by default, as in
    /// `URLSessionConfiguration`.
    ///
    /// Has no effect on Linux, where ``relaunch`` names the program to start.
    public var sessionSendsLaunchEvents = true

    /// The hosts that plain http may go to, beside this machine. Empty by default.
    ///
    /// Counts for the jobs that this session hands over.
    public var plaintextHosts: Set<String> = []

    /// How long the process waits with nothing to do before it ends, where this session starts it.
    ///
    /// A minute by default, and a second at least.
    ///
    /// Has no effect on Apple's systems.
    public var idleTime = Duration.seconds(60)

    /// How many jobs run at once, where this session starts the process: 1 to 64. 4 by default.
    ///
    /// On Apple's systems, how many connections go to one host at once.
    public var parallelJobs = 4

    /// The app group in whose container the system keeps what it has received, for an app extension; nil, the default,
    /// for the app's own.
    ///
    /// Has an effect on Apple's systems alone.
    public var sharedContainerIdentifier: String?

    /// Makes the defaults.
    public init() {}
}
