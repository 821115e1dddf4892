#if os(Linux)
import Godwit
import GodwitBackground

/// What the process is told in `transferd.json`, in the folder of the queue. It counts more than the command line, which
/// is that of the program that happened to start the process.
///
/// ```json
/// {"proxy": "http://proxy.example.com:3128", "noProxy": ["localhost", "intranet.example.com"], "parallelJobs": 2}
/// ```
struct ServiceConfiguration: Sendable, Hashable, Codable {
    /// The proxy that all jobs use; nil for none.
    var proxy: String?
    /// The hosts that are reached without it.
    var noProxy: [String]?
    /// How many jobs run at once, 1 to 64.
    var parallelJobs: Int?
    /// How long the process waits with nothing to do, in seconds.
    var idleSeconds: Double?

    /// Reads the file; the defaults where there is none. Throws what is wrong with it.
    init(_ file: URL) throws(TransferService.Obstacle) {
        do {
            guard let data = try PrivateFile(file).read() else { return }
            guard NestingDepth.isModest(data) else { throw TransferRefusal.invalid("too deep") }
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch let error as NetworkError {
            throw .failure(error.description)
        } catch {
            throw .failure("\(file.path) is not a configuration; it holds JSON such as {\"parallelJobs\": 2}")
        }
        if let fault { throw .failure("\(file.path): \(fault)") }
    }

    /// How jobs get to their servers. The environment does not count.
    var way: Proxy { proxy.map { .url($0, except: noProxy ?? []) } ?? .none }

    private var fault: String? {
        if let parallelJobs, !(1...64).contains(parallelJobs) { return "parallelJobs is a number from 1 to 64" }
        if let idleSeconds, !(1...1e9).contains(idleSeconds) { return "idleSeconds is a number from 1 to 1000000000" }
        return nil
    }
}
#endif
