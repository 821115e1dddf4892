import GodwitCore

/// What the system's jobs are held to. Tests put clocks of theirs here.
package struct SystemRules: Sendable {
    /// How long a job rests when it failed for the network or the server.
    package var backoff = Backoff(base: .seconds(2), factor: 2, cap: .seconds(600))
    /// How often a job is begun again that a server refuses for now, such as with 503.
    package var refusalLimit = 8
    /// How long the system has to tell of tasks that have ended while the program was away.
    package var grace = Duration.seconds(10)
    /// How long a wake lasts whose events seem to have been delivered before the program asked.
    package var wakeGrace = Duration.seconds(3)
    package var clock: any Clock<Duration> = ContinuousClock()
    /// The time of day, for limits that outlast the program.
    package var now: @Sendable () -> Date = { Date() }

    /// The path of the folder with the user's files. On iOS it is another one after an update of the app.
    package var home = ""

    package init() {}
}
