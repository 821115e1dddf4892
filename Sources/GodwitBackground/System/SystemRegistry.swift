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

    /// In Application Support. Not backed up, as the system's tasks do not move to another device either. Readable while
    /// the device is locked, as events arrive then too.
    private static func folder(
        of session: String, _ configuration: BackgroundConfiguration
    ) throws(NetworkError) -> URL {
        let base = configuration.directory ?? URL.applicationSupportDirectory.appending(path: "Godwit/Background")
        // A name of a folder, whatever characters the identifier has.
        let name = Hexadecimal.encode(SHA256.digest(Data(session.utf8)))
        var folder = base.appending(path: name, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            // This folder alone: one that the program names may hold more than jobs.
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try folder.setResourceValues(values)
        } catch {
            throw NetworkError(.file(reason: "cannot make \(folder.path)"), phase: .building, underlying: error)
        }
        // By value, as macOS does not declare the constants; new files inherit the folder's class.
        let attributes: [FileAttributeKey: Any] = [
            FileAttributeKey(rawValue: "NSFileProtectionKey"): "NSFileProtectionCompleteUntilFirstUserAuthentication"
        ]
        try? FileManager.default.setAttributes(attributes, ofItemAtPath: folder.path)
        return folder
    }
}
#endif
