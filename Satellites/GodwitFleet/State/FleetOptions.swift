#if os(Linux)
import GodwitCore

/// How a ``Fleet`` talks to Redis.
///
/// ```swift
/// let fleet = try await Fleet(redis: "rediss://app:secret@redis.example.com") { $0.expectedMembers = 8 }
/// ```
public struct FleetOptions: Sendable {
    /// The limit of every command: no call waits longer for Redis. 250 ms by default; from 1 ms to 60 s.
    public var commandTimeout = Duration.milliseconds(250)

    /// The limit of connecting, with TLS and login. Only the creation of a fleet waits for it. 2 s by default; from
    /// 1 ms to 60 s.
    public var connectTimeout = Duration.seconds(2)

    /// How many processes share the limits, as long as Redis doesn't know them all. 1 by default; from 1 to 100,000.
    ///
    /// If Redis can't be reached from the start, each process uses its share by this number.
    public var expectedMembers = 1

    /// How often a process sends a heartbeat, which counts for three times as long. 2 s by default; from 100 ms to
    /// 1 hour.
    public var heartbeat = Duration.seconds(2)

    /// The path of a PEM file with the certificates to trust instead of the system's, for `rediss`. `nil` by default.
    public var authorities: String?

    /// The certificate of this process for `rediss`: Redis asks for one by default (`tls-auth-clients`). Its files are
    /// read for each connection. `nil` by default.
    public var clientCertificate: ClientCertificate?

    /// The keys that encrypt tokens and cookies in Redis. The first encrypts; all decrypt. Empty by default.
    public var keys: [FleetKey] = []

    /// The maximum size of one reply of Redis in bytes. 32 MiB by default; at least 64 KiB.
    public var replyLimit = 32 << 20

    /// Receives a report if Redis can't be used. `Diagnostics.shared` by default.
    public var diagnostics = Diagnostics.shared

    /// Measures the waits of calls. Commands and connections use the system's clock.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Creates the default options.
    public init() {}
}
#endif
