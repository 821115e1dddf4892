#if canImport(Darwin)
import Foundation

extension URL {
    /// Excludes the file from backups. The mark is an attribute of the file, and moves with it.
    package func excludeFromBackup() throws {
        var file = self
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try file.setResourceValues(values)
    }
}
#endif
