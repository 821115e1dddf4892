import GodwitCore

/// How a ``Fleet`` talks to Redis.
///
/// ```swift
/// let fleet = try await Fleet(redis: "rediss://app:secret@redis.example.com") { $0.expectedMembers = 8 }
/// ```
public struct FleetOptions: Sendable {
    /// The limit of every command: no call waits longer for Redis. 250 ms by default, at most 60 s.
    public var commandTimeout = Duration.milliseconds(250)

    /// The limit of connecting, with TLS and login. Only the creation of a fleet waits for it. 2 s by default.
    public var connectTimeout = Duration.seconds(2)

    /// How many processes share the limits, until Redis has told it. 1 by default.
    ///
    /// If Redis can't be reached from the start, each process uses its share by this number.
    public var expectedMembers = 1

    /// How often a process says that it lives; it counts for three times as long. 2 s by default, at least
    /// 100 ms.
    public var heartbeat = Duration.seconds(2)

    /// The path of a PEM file with the certificates to trust instead of the system's, for `rediss`. `nil` by default.
    public var authorities: String?

    /// The keys that encrypt tokens and cookies in Redis. The first encrypts; all decrypt. Empty by default.
    public var keys: [FleetKey] = []

    /// The maximum size of one reply of Redis in bytes. 32 MiB by default.
    public var replyLimit = 32 << 20

    /// Receives a report if Redis can't be used. ``Diagnostics/shared`` by default.
    public var diagnostics = Diagnostics.shared

    /// Measures the waits of calls. Commands and connections use the system's clock.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Creates the default options.
    public init() {}
}
