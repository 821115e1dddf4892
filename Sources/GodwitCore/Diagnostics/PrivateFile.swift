import GodwitLibc
import GodwitSupport

/// A small file that holds or steers secrets: a token, or where a token is sent. For a custom ``TokenStore``, for example.
///
/// ```swift
/// let file = PrivateFile(URL(filePath: "/home/ann/.config/reader/key"))
/// try file.replace(with: Data(key.utf8))
/// let stored = try file.read()
/// ```
///
/// Written for its owner only (0600), in a folder that only the owner can write, synchronized and renamed. Refused on reading
/// if others could have written it. At most 64 MiB.
public struct PrivateFile: Sendable {
    private static let longest = 64 << 20

    let path: String
    let name: String

    private let allowsSharedFolder: Bool
    /// How long ``change(_:)`` waits for another process.
    let patience: Duration

    /// Creates a reference to a file, which need not exist.
    ///
    /// - Parameter url: The file. Its folder must exist before ``replace(with:)``.
    public init(_ url: URL) {
        self.init(url, allowsSharedFolder: false)
    }

    /// - Parameter allowsSharedFolder: Whether others may write the folder, as that of a download. They can then remove or
    ///   replace the file, but not forge it: a file of another user is refused.
    package init(_ url: URL, allowsSharedFolder: Bool, patience: Duration = FileLock.usualPatience) {
        self.patience = patience
        path = url.path
        name = url.lastPathComponent
        self.allowsSharedFolder = allowsSharedFolder
    }

    /// The contents; `nil` if the file doesn't exist.
    ///
    /// Symbolic links are followed for folders, but not for the file. Throws `.file` if it is a link, isn't a regular
    /// file, belongs to another user, is accessible to group or others, or is in a folder that others can write.
    public func read() throws(NetworkError) -> Data? {
        // Without O_NONBLOCK, opening a pipe of this name would block.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP { throw linkFault }
            throw failure("cannot open")
        }
        defer { close(descriptor) }
        let status = try inspect(descriptor)
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.longest else {
            throw Self.error("\(name) is not a regular file, or is too large")
        }
        guard status.st_uid == geteuid() else { throw Self.error("\(name) belongs to another user") }
        guard status.st_mode & 0o077 == 0 else {
            throw Self.error("\(name) is accessible to other users; run chmod 600 on it")
        }
        try checkFolder(of: path)
        return try contents(of: descriptor, limit: Int(status.st_size))
    }

    /// The contents of a file that a person wrote, which others may read but not write; `nil` if it doesn't exist.
    ///
    /// Follows symbolic links, and reads pipes to their end, which blocks the thread. Throws `.file` if the file or its folder
    /// belongs to another user than root, or can be written by others; `.cancelled` if it gave up waiting for a pipe.
    ///
    /// - Parameter isOver: Whether to give up waiting for a pipe. Asked again and again. By default, whether the task is
    ///   canceled.
    public func readUnforgeable(
        unless isOver: () -> Bool = { Task.isCancelled }
    ) throws(NetworkError) -> Data? {
        // Without O_NONBLOCK, the wait for a pipe's writer couldn't be ended.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("cannot open")
        }
        let file = StreamDescriptor(adopting: descriptor)
        let status = try inspect(descriptor)
        guard status.st_mode & S_IFMT != S_IFDIR else { throw Self.error("\(name) is a folder") }
        if status.st_mode & S_IFMT == S_IFREG {
            guard Self.isTrusted(status.st_uid), status.st_mode & 0o022 == 0 else {
                throw Self.error(
                    "\(name) can be written by other users, who could change what it says; run chmod go-w on it")
            }
            try checkFolder(of: resolvedPath)
        }
        let bytes: [UInt8]
        do throws(StreamDescriptor.Fault) {
            bytes = try file.rest(upTo: Self.longest + 1, unless: isOver)
        } catch {
            switch error {
            case .cancelled: throw NetworkError(.cancelled, phase: .middleware)
            case .system(let code): throw failure("cannot read", code)
            }
        }
        guard bytes.count <= Self.longest else { throw Self.error("\(name) is too large") }
        return Data(bytes)
    }

    /// Replaces the contents atomically. If that fails, throws `.file` and keeps the old ones.
    public func replace(with data: Data) throws(NetworkError) {
        try replace(with: data, at: nil)
    }

    /// Replaces the contents of a file with a single writer: a draft left by a killed process is overwritten.
    ///
    /// - Parameter draft: The path of the draft, in the same folder.
    package func replace(with data: Data, byOnly draft: URL) throws(NetworkError) {
        unlink(draft.path)
        try replace(with: data, at: draft.path)
    }

    /// Replaces the contents atomically, and returns the descriptor of the new file for writing, which the caller closes.
    func replaceKeepingOpen(with data: Data) throws(NetworkError) -> Int32 {
        try write(data, at: nil)
    }

    private func replace(with data: Data, at draft: String?) throws(NetworkError) {
        // The file has been synchronized: an error of close can't lose its contents.
        close(try write(data, at: draft))
    }

    /// Returns the open descriptor of the new file.
    private func write(_ data: Data, at draft: String?) throws(NetworkError) -> Int32 {
        try checkTarget()
        try checkFolder(of: path)
        let draft = FileDraft(of: path, at: draft, mode: 0o600, isSynchronized: true)
        switch data.withUnsafeBytes(draft.replaceKeepingOpen) {
        case .success(let descriptor): return descriptor
        case .failure(let fault): throw failure(fault.step.problem, fault.code)
        }
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

    private func inspect(_ descriptor: Int32) throws(NetworkError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot inspect") }
        return status
    }

    /// Throws if another user could replace files of the folder: if they own it or can write it, unless it is sticky, as
    /// `/tmp` is.
    private func checkFolder(of path: String) throws(NetworkError) {
        if allowsSharedFolder { return }
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        guard stat(folder, &status) == 0 else { throw failure("cannot inspect the folder of") }
        let isShared = status.st_mode & 0o022 != 0 && status.st_mode & S_ISVTX == 0
        guard !isShared, Self.isTrusted(status.st_uid) else {
            throw Self.error("other users can replace \(name); run chmod go-w on its folder, or choose another one")
        }
    }

    private static func isTrusted(_ owner: uid_t) -> Bool { owner == geteuid() || owner == 0 }

    /// The path of the file that a link names.
    private var resolvedPath: String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private func contents(of descriptor: Int32, limit: Int) throws(NetworkError) -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: min(max(limit, 1), 64 << 10))
        while data.count < limit {
            let count = GodwitLibc.read(descriptor, &buffer, min(buffer.count, limit - data.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("cannot read") }
            if count == 0 { break }
            data.append(contentsOf: buffer[..<count])
        }
        return data
    }

    private func failure(_ what: String, _ code: Int32 = errno) -> NetworkError {
        Self.error("\(what) \(name): \(String(cString: strerror(code)))")
    }
}

extension FileDraft.Step {
    fileprivate var problem: String {
        switch self {
        case .create: "cannot create a file next to"
        case .write: "cannot write"
        case .rename: "cannot replace"
        }
    }
}
