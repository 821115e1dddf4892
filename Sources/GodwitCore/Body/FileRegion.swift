/// A part of a file that is to be read, not opened yet.
package struct FileRegion: Sendable {
    /// The file.
    package let url: URL
    /// Where the part begins, in bytes from 0.
    package let offset: Int64
    /// Nil: to the end.
    package let length: Int64?

    /// The number of bytes that will be read: asks the file system where it runs to the end.
    ///
    /// Throws `.file` where the file cannot be opened.
    package func resolvedLength() throws(NetworkError) -> Int64 {
        if let length { return length }
        return try FileReader(self).remaining
    }

    func reader() -> Result<FileReader, NetworkError> {
        do throws(NetworkError) {
            return .success(try FileReader(self))
        } catch {
            return .failure(error)
        }
    }
}
