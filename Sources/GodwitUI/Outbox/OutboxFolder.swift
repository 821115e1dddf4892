import Dispatch
import GodwitCore
import GodwitLibc
import GodwitSupport
import Synchronization

/// The files of a user's outbox. One outbox at a time holds them; only their owner may read them.
final class OutboxFolder: Sendable {
    private let path: URL
    private let queue = DispatchQueue(label: "godwit.outbox")
    /// Locked until it is closed; `nil` afterwards.
    private let lock: Mutex<Int32?>

    /// Opens or creates the folder. Throws `.file` if that fails, or if another outbox of the user is open.
    init(_ folder: URL, for user: String) throws(NetworkError) {
        // A name of any length and with any characters.
        path = folder.appending(path: Hexadecimal.encode(SHA256.digest(user.utf8).prefix(16)))
        do {
            try FileManager.default.createDirectory(
                at: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw NetworkError(
                .file(reason: "cannot create the outbox folder \(path.path)"), phase: .building, underlying: error)
        }
        #if canImport(Darwin)
        // A restored mutation would be sent again long after the server has forgotten its key.
        try? path.excludeFromBackup()
        #endif
        // The name of the user's folder.
        try Self.synchronize(folder)
        lock = Mutex(try Self.locked(path.appending(path: "lock").path))
    }

    deinit { unlock() }

    private static func locked(_ path: String) throws(NetworkError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw PrivateFile.error("cannot open the outbox: \(String(cString: strerror(errno)))")
        }
        guard FileLock.take(descriptor) else {
            close(descriptor)
            throw PrivateFile.error("another outbox of this user is open: close it first")
        }
        return descriptor
    }

    /// The records, in order; the error of those that can't be read.
    func load() throws(NetworkError) -> [(name: OutboxFileName, record: Result<OutboxRecord, NetworkError>)] {
        let all: [String]
        do { all = try FileManager.default.contentsOfDirectory(atPath: path.path) } catch {
            throw NetworkError(.file(reason: "cannot list the outbox"), phase: .building, underlying: error)
        }
        // Left by a killed process.
        for draft in all where draft.hasSuffix(CompanionName.draftEnding) { unlink(path.appending(path: draft).path) }
        return all.compactMap(OutboxFileName.init).sorted().map { name in
            (name, Result { () throws(NetworkError) in try read(name) })
        }
    }

    private func read(_ name: OutboxFileName) throws(NetworkError) -> OutboxRecord {
        let data = try PrivateFile(file(name)).read() ?? Data()
        guard let record = try? JSONDecoder().decode(OutboxRecord.self, from: data) else {
            throw PrivateFile.error("a file of the outbox is damaged: \(name.text)")
        }
        return record
    }

    private func file(_ name: OutboxFileName) -> URL { path.appending(path: name.text) }
}

// Changes happen in the order of their calls, off the main actor: each call queues its work before it suspends.
extension OutboxFolder {
    /// Writes a record. Returns when it is on the disk.
    nonisolated(nonsending) func write(_ record: OutboxRecord, as name: OutboxFileName) async throws(NetworkError) {
        let data: Data
        do { data = try JSONEncoder().encode(record) } catch {
            throw NetworkError(.encoding(reason: "\(error)"), phase: .building, underlying: error)
        }
        try await perform { [file = file(name), path] in
            Result { () throws(NetworkError) in
                try PrivateFile(file).replace(with: data)
                try Self.synchronize(path)
            }
        }.get()
    }

    nonisolated(nonsending) func remove(_ name: OutboxFileName) async {
        await removeAll([name])
    }

    nonisolated(nonsending) func removeAll(_ names: [OutboxFileName]) async {
        await perform { [files = names.map(file)] in
            for file in files { unlink(file.path) }
        }
    }

    /// Allows another outbox to use the folder once what was begun is done.
    nonisolated(nonsending) func unlockWhenDone() async {
        await perform { self.unlock() }
    }

    /// Removes the mutations, of any type.
    func removeEverything() throws(NetworkError) {
        for (name, _) in try load() { unlink(file(name).path) }
        try Self.synchronize(path)
    }

    private func unlock() {
        lock.withLock { descriptor in
            if let open = descriptor { FileLock.close(open) }
            descriptor = nil
        }
    }

    private nonisolated(nonsending) func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async
        -> Value
    {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }

    /// Blocks until new names are on the disk.
    private static func synchronize(_ folder: URL) throws(NetworkError) {
        guard Descriptor.synchronizeFolder(folder.path) else { throw failure("cannot synchronize") }
    }

    private static func failure(_ what: String) -> NetworkError {
        PrivateFile.error("\(what) the outbox folder: \(String(cString: strerror(errno)))")
    }
}
