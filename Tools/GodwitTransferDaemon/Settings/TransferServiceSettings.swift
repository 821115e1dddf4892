#if os(Linux)
import Godwit
package import GodwitBackground
import GodwitLibc

/// The settings of the service.
package struct TransferServiceSettings: Sendable {
    package var places: TransferPlaces
    package var transport: any HTTPTransport
    /// Makes the transport of a job with TLS rules.
    package var makeTransport: @Sendable (TLSConfiguration) throws(NetworkError) -> any HTTPTransport = {
        rules throws(NetworkError) in
        try SocketTransport { $0.tls = rules }
    }
    /// The most bytes of the queue's file. Commands that don't fit are refused.
    package var queueLimit = 256 << 20
    /// How many jobs run at once.
    package var parallelJobs = 4
    /// How long it stays idle before it ends.
    package var idleTime = Duration.seconds(60)
    /// How long a session's program may take to reconnect before it is started.
    package var relaunchDelay = Duration.seconds(2)
    /// How long a job waits if the queue has no space to note its next step.
    package var spaceDelay = Duration.seconds(5)
    /// The delay after an error of the network or the server.
    package var backoff = Backoff(base: .seconds(2), factor: 2, cap: .seconds(600))
    /// The maximum `Retry-After` that a job waits for; if a server asks for more, the job is tried after this time.
    package var longestRetryAfter = RetryPause.longestInBackground
    /// How many rejections by the server, such as 503, fail a job.
    package var refusalLimit = 8
    /// How often to check whether discretionary jobs may run.
    package var discretionaryInterval = Duration.seconds(30)
    /// Discretionary jobs wait if the load per processor is at least this.
    package var busyLoad = 0.8

    package var pathMonitor: any PathMonitor = SystemPathMonitor.shared
    /// The load average per processor.
    package var load: @Sendable () -> Double = { SystemLoad.perProcessor }
    package var clock: any Clock<Duration> = ContinuousClock()
    /// The machine's clocks, for limits that outlast the process.
    package var reading: @Sendable () -> QueueClock.Reading = { .now }
    /// The release of the process.
    package var release = TransferRelease.current
    /// The sockets that the parent passed. If there are any, the service makes no socket.
    package var passedSockets: [Int32] = []
    package var log = TransferLog(nil)

    /// The path of the queue, without symbolic links once the folder is created.
    var queuePath: String

    package init(places: TransferPlaces, transport: any HTTPTransport) {
        self.places = places
        queuePath = places.queue.path
        self.transport = transport
    }
}

/// The load of this machine.
enum SystemLoad {
    /// The load average of the last minute per processor; 0 if unknown.
    static var perProcessor: Double {
        var loads = [Double](repeating: 0, count: 1)
        guard getloadavg(&loads, 1) == 1 else { return 0 }
        return loads[0] / Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
#endif
