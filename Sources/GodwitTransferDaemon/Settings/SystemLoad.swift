#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

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
