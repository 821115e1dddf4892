#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A small file with secrets that only its owner can read.
package struct PrivateFile {
    private static let longest = 64 << 20

    private let path: String
    private let name: String

    package init(_ url: URL) {
        path = url.path
        name = url.lastPathComponent
    }

    /// The contents; `nil` if the file doesn't exist.
    ///
    /// Symbolic links are followed for folders, but not for the file. Throws `.file` if it is a link, isn't a regular
    /// file, belongs to another user, or is accessible to group or others.
    package func read() throws(NetworkError) -> Data? {
        // Without O_NONBLOCK, opening a pipe of this name would block.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP { throw linkFault }
            throw failure("cannot open")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot inspect") }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.longest else {
            throw Self.error("\(name) is not a regular file, or is too large")
        }
        guard status.st_uid == geteuid() else { throw Self.error("\(name) belongs to another user") }
        guard status.st_mode & 0o077 == 0 else {
            throw Self.error("\(name) is accessible to other users; run chmod 600 on it")
        }
        return try contents(of: descriptor, size: Int(status.st_size))
    }

    /// Replaces the contents atomically. If that fails, throws `.file` and keeps the old ones.
    package func replace(with data: Data) throws(NetworkError) {
        try replace(with: data, by: "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp")
    }

    /// Replaces the contents of a file with a single writer: a draft left by a killed process is overwritten.
    ///
    /// - Parameter draft: The path of the draft, in the same folder.
    package func replace(with data: Data, byOnly draft: URL) throws(NetworkError) {
        unlink(draft.path)
        try replace(with: data, by: draft.path)
    }

    /// Replaces the contents atomically, and returns the descriptor of the new file for writing, which the caller closes.
    func replaceKeepingOpen(with data: Data) throws(NetworkError) -> Int32 {
        try write(data, by: "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp")
    }

    private func replace(with data: Data, by draft: String) throws(NetworkError) {
        // The file has been synchronized: an error of close can't lose its contents.
        close(try write(data, by: draft))
    }

    /// Returns the open descriptor of the new file.
    private func write(_ data: Data, by draft: String) throws(NetworkError) -> Int32 {
        try checkTarget()
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("cannot create a file next to") }
        guard fill(descriptor, with: data) && fsync(descriptor) == 0 else {
            throw abandon(descriptor, draft, failure("cannot write"))
        }
        guard rename(draft, path) == 0 else {
            throw abandon(descriptor, draft, failure("cannot replace"))
        }
        return descriptor
    }

    private func abandon(_ descriptor: Int32, _ draft: String, _ failure: NetworkError) -> NetworkError {
        close(descriptor)
        unlink(draft)
        return failure
    }

    /// Rejects targets that must not be replaced: a link would become a file, and a privileged user would replace
    /// `/dev/null`.
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

    package static func error(_ reason: String) -> NetworkError {
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
                writeBytes(descriptor, bytes.baseAddress, bytes.count)
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

// The method hides the C function.
private let writeBytes: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
