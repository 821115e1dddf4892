#if os(Linux)
import GodwitCore

extension BackgroundConfiguration {
    /// The idle time as the process takes it, in seconds.
    var idleSeconds: Double { min(max(idleTime / .seconds(1), 1), 1e9) }

    /// The number of jobs as the process takes it.
    var parallelLimit: Int { min(max(parallelJobs, 1), 64) }

    /// The folder of the process. Throws `.file` if nothing says where it is.
    var places: TransferPlaces {
        get throws(NetworkError) {
            if let directory { return TransferPlaces(folder: directory) }
            return try TransferPlaces(variables: ProcessInfo.processInfo.environment)
        }
    }
}
#endif
