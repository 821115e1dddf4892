#if canImport(Darwin)
import Foundation

extension URL {
    /// Leaves the file out of backups. The mark is an attribute of the file, which keeps it when it is moved.
    func excludeFromBackup() throws {
        var file = self
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try file.setResourceValues(values)
    }
}
#endif
