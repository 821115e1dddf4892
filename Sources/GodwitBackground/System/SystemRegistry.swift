#if canImport(Darwin)
import Foundation
import GodwitCore
import GodwitSupport
import Synchronization

/// The transfers of each session of this program, as the system allows one session per identifier.
final class SystemRegistry: Sendable {
    static let shared = SystemRegistry()

    private let known = Mutex<[String: SystemTransfers]>([:])

    /// The transfers of a session, made with the configuration of the first caller.
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

    /// The folder in Application Support. It is not backed up, as the system's tasks don't move to another device either, and
    /// is readable while the device is locked, as events arrive then too.
    private static func folder(
        of session: String, _ configuration: BackgroundConfiguration
    ) throws(NetworkError) -> URL {
        let base = configuration.directory ?? URL.applicationSupportDirectory.appending(path: "Godwit/Background")
        // A valid folder name for any identifier.
        let name = Hexadecimal.encode(SHA256.digest(Data(session.utf8)))
        var folder = base.appending(path: name, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            // Only this folder, as a configured parent may contain other files.
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try folder.setResourceValues(values)
        } catch {
            throw NetworkError(.file(reason: "cannot create \(folder.path)"), phase: .building, underlying: error)
        }
        // By value, as macOS doesn't declare the constants. New files inherit the folder's class.
        let attributes: [FileAttributeKey: Any] = [
            FileAttributeKey(rawValue: "NSFileProtectionKey"): "NSFileProtectionCompleteUntilFirstUserAuthentication"
        ]
        try? FileManager.default.setAttributes(attributes, ofItemAtPath: folder.path)
        return folder
    }
}
#endif
