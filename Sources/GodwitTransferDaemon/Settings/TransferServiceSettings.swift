#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import Godwit
package import GodwitBackground

/// What the transferring process works with. Tests put probes and a clock of theirs here.
package struct TransferServiceSettings: Sendable {
    package var places: TransferPlaces
    package var transport: any HTTPTransport
    /// Makes the transport of a job that has rules for TLS.
    package var makeTransport: @Sendable (TLSConfiguration) throws(NetworkError) -> any HTTPTransport = {
        rules throws(NetworkError) in
        try CurlTransport { $0.tls = rules }
    }
    /// How many jobs run at once.
    package var parallelJobs = 4
    /// How long it waits with nothing to do before it ends.
    package var idleTime = Duration.seconds(60)
    /// How long a session's program has to come back by itself before it is started.
    package var relaunchDelay = Duration.seconds(2)
    /// How long a job rests when it failed for the network or the server.
    package var backoff = Backoff(base: .seconds(2), factor: 2, cap: .seconds(600))
    /// How often a job is begun again that a server refuses for now, such as with 503.
    package var refusalLimit = 8
    /// How often it is looked whether discretionary jobs may run.
    package var discretionaryInterval = Duration.seconds(30)
    /// The load of a processor from which on discretionary jobs wait.
    package var busyLoad = 0.8

    package var pathMonitor: any PathMonitor = SystemPathMonitor.shared
    /// How many processes want each processor, on average.
    package var load: @Sendable () -> Double = { SystemLoad.perProcessor }
    package var clock: any Clock<Duration> = ContinuousClock()
    /// The machine's clocks, for limits that outlast the process.
    package var reading: @Sendable () -> QueueClock.Reading = { .now }
    /// The number by which the newer of two processes is known.
    package var release = TransferRelease.current
    /// The sockets that whoever started the process has passed; with any, it makes none of its own.
    package var passedSockets: [Int32] = []
    package var log = TransferLog(nil)

    /// The queue's file, by a path without symbolic links once the folder is made.
    var queuePath: String

    package init(places: TransferPlaces, transport: any HTTPTransport) {
        self.places = places
        queuePath = places.queue.path
        self.transport = transport
    }
}

/// How busy this machine is.
enum SystemLoad {
    /// The processes that wanted to run in the last minute, on average, for each processor; 0 where nobody knows.
    static var perProcessor: Double {
        var loads = [Double](repeating: 0, count: 1)
        guard getloadavg(&loads, 1) == 1 else { return 0 }
        return loads[0] / Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
#endif
