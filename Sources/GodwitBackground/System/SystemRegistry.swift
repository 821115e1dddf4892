#if canImport(Darwin)
import Foundation
import GodwitCore
import Synchronization

/// What transfers for each session of this program: the system takes one session of a name for each program.
final class SystemRegistry: Sendable {
    static let shared = SystemRegistry()

    private let known = Mutex<[String: SystemTransfers]>([:])

    /// The one of a session, made with the configuration of whoever asks first.
    func transfers(
        of session: String, _ configuration: BackgroundConfiguration
    ) throws(NetworkError) -> SystemTransfers {
        let result = known.withLock { known in
            Result { () throws(NetworkError) in
                if let transfers = known[session] { return transfers }
                let tasks = URLSessionTasks(session, configuration)
                var rules = SystemRules()
                rules.home = URL.homeDirectory.path
                let transfers = try SystemTransfers(
                    folder: Self.folder(of: session, configuration), tasks: tasks, rules: rules)
                known[session] = transfers
                return transfers
            }
        }
        return try result.get()
    }

    /// In Application Support, from where it is not copied to other devices: tasks do not go there either.
    private static func folder(
        of session: String, _ configuration: BackgroundConfiguration
    ) throws(NetworkError) -> URL {
        var base = configuration.directory ?? URL.applicationSupportDirectory.appending(path: "Godwit/Background")
        do {
            try FileManager.default.createDirectory(
                at: base, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try base.setResourceValues(values)
        } catch {
            throw NetworkError(.file(reason: "cannot make \(base.path)"), phase: .building, underlying: error)
        }
        // A name of a folder, whatever characters the identifier has.
        let name = Hexadecimal.encode(SHA256.digest(Data(session.utf8)))
        return base.appending(path: name, directoryHint: .isDirectory)
    }
}
#endif
