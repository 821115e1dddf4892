#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Godwit

/// Moves files within one folder; each returns whether it did.
enum FileMove {
    /// Takes the place of what is there, in one step.
    static func replace(_ target: URL, with file: URL) -> Bool {
        rename(file.path, target.path) == 0
    }

    /// Fails where something is there.
    static func move(_ file: URL, to target: URL) -> Bool {
        (try? FileManager.default.moveItem(at: file, to: target)) != nil
    }
}
