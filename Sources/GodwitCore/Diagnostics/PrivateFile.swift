#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A small file with secrets in it, which nobody but its owner may read.
package struct PrivateFile {
    private static let longest = 64 << 20

    private let path: String
    private let name: String

    package init(_ url: URL) {
        path = url.path
        name = url.lastPathComponent
    }

    /// What is in it; nil where it does not exist.
    ///
    /// Folders on the way may be symbolic links; the file itself may not. Throws `.file` if it is a link or not a regular
    /// file, another user's, or open to group or others.
    package func read() throws(NetworkError) -> Data? {
        // Without O_NONBLOCK a pipe of this name would be waited for.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP { throw linkFault }
            throw failure("cannot open")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot look at") }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.longest else {
            throw Self.error("\(name) is not a regular file of reasonable size")
        }
        guard status.st_uid == geteuid() else { throw Self.error("\(name) belongs to another user") }
        guard status.st_mode & 0o077 == 0 else {
            throw Self.error("\(name) is open to other users; run chmod 600 on it")
        }
        return try contents(of: descriptor, size: Int(status.st_size))
    }

    /// Puts new content in the file's place in one step. Throws `.file`, and leaves the old one, where that fails.
    package func replace(with data: Data) throws(NetworkError) {
        try replace(with: data, by: "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp")
    }

    /// The same, for a file that only one writes to at a time: a draft that a kill has left is overwritten.
    ///
    /// - Parameter draft: The name of the draft, in the same folder.
    package func replace(with data: Data, byOnly draft: URL) throws(NetworkError) {
        unlink(draft.path)
        try replace(with: data, by: draft.path)
    }

    private func replace(with data: Data, by draft: String) throws(NetworkError) {
        try checkTarget()
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("cannot make a file beside") }
        var isWritten = fill(descriptor, with: data) && fsync(descriptor) == 0
        let code = errno
        isWritten = close(descriptor) == 0 && isWritten
        guard isWritten else {
            unlink(draft)
            throw failure("cannot write", code)
        }
        guard rename(draft, path) == 0 else {
            let code = errno
            unlink(draft)
            throw failure("cannot replace", code)
        }
    }

    /// Refuses what a file must not take the place of: a link would become a file of its own, and for a privileged user
    /// `/dev/null` a file that fills up.
    private func checkTarget() throws(NetworkError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFLNK: throw linkFault
        default: throw Self.error("\(name) is not a regular file")
        }
    }

    private var linkFault: NetworkError { Self.error("\(name) is a symbolic link; name the file itself") }

    static func error(_ reason: String) -> NetworkError {
        NetworkError(.file(reason: reason), phase: .middleware)
    }

    private func contents(of descriptor: Int32, size: Int) throws(NetworkError) -> Data {
        var data = Data(count: size)
        var filled = 0
        while filled < size {
            let count = data.withUnsafeMutableBytes { bytes in
                pread(descriptor, bytes.baseAddress?.advanced(by: filled), size - filled, off_t(filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("cannot read") }
            filled += count
        }
        return data
    }

    private func fill(_ descriptor: Int32, with data: Data) -> Bool {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func failure(_ what: String, _ code: Int32 = errno) -> NetworkError {
        Self.error("\(what) \(name): \(String(cString: strerror(code)))")
    }
}
