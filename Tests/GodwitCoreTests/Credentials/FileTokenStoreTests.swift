import GodwitCore
import GodwitLibc
import Testing

@Suite("A2 the file store")
struct FileTokenStoreTests {
    private let token = AccessToken(
        access: "a-s3cret", refresh: "r-s3cret", expiry: Date(timeIntervalSince1970: 1_700_000_000), type: "Bearer")

    /// Runs a test with a path in a new folder.
    private func withFile(_ body: (URL, FileTokenStore) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "godwit-tokens-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "token.json")
        try body(file, FileTokenStore(at: file))
    }

    private func mode(_ file: URL) -> mode_t {
        var status = stat()
        return lstat(file.path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test("A2 a saved token is loaded from a file that only its owner can read, without leftover files")
    func roundTrip() throws {
        try withFile { file, store in
            #expect(try store.load() == nil)
            try store.save(AccessToken(access: "first"))
            try store.save(token)
            #expect(try FileTokenStore(at: file).load() == token)
            #expect(mode(file) == 0o600)
            let folder = file.deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["token.json"])
            try store.clear()
            try store.clear()
            #expect(try store.load() == nil)
        }
    }

    @Test("A2 the file's name may have 255 bytes, and names with the same beginning have locks of their own")
    func longName() throws {
        try withFile { file, _ in
            let folder = file.deletingLastPathComponent()
            let start = String(repeating: "n", count: 254)
            let first = FileTokenStore(at: folder.appending(path: start + "a"))
            let second = FileTokenStore(at: folder.appending(path: start + "b"))
            try first.save(token)
            try second.save(token)
            #expect(try first.load() == token)
            let lock = try #require(first.lockFile?.lastPathComponent)
            #expect(lock != second.lockFile?.lastPathComponent)
            #expect(lock.utf8.count <= 255 && lock.hasSuffix(".lock"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        }
    }

    @Test("A2 looser permissions are refused, for reading and for writing", arguments: [0o640, 0o604, 0o620, 0o601])
    func loosePermissions(mode: mode_t) throws {
        try withFile { file, store in
            try store.save(token)
            chmod(file.path, mode)
            let error = TokenStoreError.loosePermissions(path: file.path, mode: UInt32(mode))
            #expect(throws: error) { try store.load() }
            #expect(throws: error) { try store.save(token) }
            #expect(error.description.contains("chmod 600"))
        }
    }

    @Test("A2 a symbolic link is refused, and its target unchanged")
    func symbolicLink() throws {
        try withFile { file, store in
            let target = file.deletingLastPathComponent().appending(path: "target")
            try FileTokenStore(at: target).save(token)
            symlink(target.path, file.path)
            #expect(throws: TokenStoreError.symbolicLink(path: file.path)) { try store.load() }
            #expect(throws: TokenStoreError.symbolicLink(path: file.path)) {
                try store.save(AccessToken(access: "other"))
            }
            #expect(try FileTokenStore(at: target).load() == token)
        }
    }

    @Test("A2 anything but a regular file is refused", arguments: [false, true])
    func notAFile(isPipe: Bool) throws {
        try withFile { file, store in
            if isPipe { mkfifo(file.path, 0o600) } else { mkdir(file.path, 0o700) }
            #expect(throws: TokenStoreError.notAFile(path: file.path)) { try store.load() }
            #expect(throws: TokenStoreError.notAFile(path: file.path)) { try store.save(token) }
        }
    }

    @Test("A2 a damaged file is reported, and can be replaced", arguments: ["", "{", #"{"access":"a-s3"#, "[]"])
    func damaged(content: String) throws {
        try withFile { file, store in
            try Data(content.utf8).write(to: file)
            chmod(file.path, 0o600)
            #expect(throws: TokenStoreError.damaged(path: file.path)) { try store.load() }
            try store.save(token)
            #expect(try store.load() == token)
        }
    }

    @Test("A2 a missing folder is reported with the system's message")
    func missingFolder() throws {
        try withFile { file, _ in
            let path = file.deletingLastPathComponent().appending(path: "none/token.json")
            #expect {
                try FileTokenStore(at: path).save(token)
            } throws: { error in
                "\(error)".contains("No such file or directory")
            }
        }
    }

    @Test("A2 the memory store keeps a token until it is cleared")
    func memory() {
        let store = MemoryTokenStore()
        store.save(token)
        #expect(store.load() == token)
        store.clear()
        #expect(store.load() == nil)
    }
}
