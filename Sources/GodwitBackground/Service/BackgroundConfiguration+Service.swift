#if os(Linux)
import GodwitCore

extension BackgroundConfiguration {
    /// The clamped idle time in seconds.
    var idleSeconds: Double { min(max(idleTime / .seconds(1), 1), 1e9) }

    /// The clamped number of parallel jobs.
    var parallelLimit: Int { min(max(parallelJobs, 1), 64) }

    /// The folder of the process. Throws `.file` if it is neither configured nor in the environment.
    var places: TransferPlaces {
        get throws(NetworkError) {
            if let directory { return TransferPlaces(folder: directory) }
            return try TransferPlaces(variables: ProcessInfo.processInfo.environment)
        }
    }
}
#endif
