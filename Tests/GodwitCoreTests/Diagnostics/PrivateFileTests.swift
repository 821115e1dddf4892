#if canImport(Glibc)
import Glibc
import GodwitCore
import TestSupport
import Testing

@Suite("S7 PrivateFile")
struct PrivateFileTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = TemporaryFolder()
        url = folder.url.appending(path: "secret")
    }

    private func expectFault(_ reason: String, _ act: () throws(NetworkError) -> Void) {
        do throws(NetworkError) {
            try act()
            Issue.record("no error; expected: \(reason)")
        } catch {
            #expect("\(error)".contains(reason), "\(error)")
        }
    }

    @Test("S7 a file is written with mode 0600 whatever the umask, and read as it was written; none reads as nil")
    func written() throws {
        let file = PrivateFile(url)
        #expect(try file.read() == nil && file.readUnforgeable() == nil)
        for text in ["one", "", "two"] {
            try file.replace(with: Data(text.utf8))
            #expect(try file.read() == Data(text.utf8) && file.readUnforgeable() == Data(text.utf8))
        }
        var status = stat()
        #expect(stat(url.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["secret"])
    }

    @Test("S7 a file that others can read or write, a link and a folder are refused")
    func refused() throws {
        let file = PrivateFile(url)
        try file.replace(with: Data("a".utf8))
        for mode: mode_t in [0o640, 0o604, 0o620, 0o602] {
            chmod(url.path, mode)
            expectFault("accessible to other users") { () throws(NetworkError) in _ = try file.read() }
        }
        for mode: mode_t in [0o620, 0o602, 0o666] {
            chmod(url.path, mode)
            expectFault("can be written by other users") { () throws(NetworkError) in _ = try file.readUnforgeable() }
        }
        chmod(url.path, 0o644)
        #expect(try file.readUnforgeable() == Data("a".utf8))
        let link = folder.url.appending(path: "link")
        symlink(url.path, link.path)
        expectFault("symbolic link") { () throws(NetworkError) in _ = try PrivateFile(link).read() }
        expectFault("symbolic link") { () throws(NetworkError) in try PrivateFile(link).replace(with: Data()) }
        #expect(try PrivateFile(link).readUnforgeable() == Data("a".utf8))
        expectFault("is a folder") { () throws(NetworkError) in _ = try PrivateFile(folder.url).readUnforgeable() }
    }

    @Test(
        "S7 a folder that others can write is refused for reading and writing, unless it is sticky or named as shared")
    func folders() throws {
        let file = PrivateFile(url)
        try file.replace(with: Data("a".utf8))
        let link = folder.url.appending(path: "link")
        symlink(url.path, link.path)
        for mode: mode_t in [0o770, 0o707, 0o777] {
            chmod(folder.url.path, mode)
            expectFault("can replace secret") { () throws(NetworkError) in _ = try file.read() }
            expectFault("can replace secret") { () throws(NetworkError) in _ = try file.readUnforgeable() }
            expectFault("can replace link") { () throws(NetworkError) in _ = try PrivateFile(link).readUnforgeable() }
            expectFault("can replace secret") { () throws(NetworkError) in try file.replace(with: Data("b".utf8)) }
            let shared = PrivateFile(url, allowsSharedFolder: true)
            try shared.replace(with: Data("a".utf8))
            #expect(try shared.read() == Data("a".utf8))
        }
        chmod(folder.url.path, 0o1777)
        try file.replace(with: Data("c".utf8))
        #expect(try file.read() == Data("c".utf8))
    }

    @Test("S7 what a pipe holds is read to its end, as for a secret from a password manager")
    func pipe() throws {
        var ends: [Int32] = [0, 0]
        #expect(Glibc.pipe(&ends) == 0)
        let text = Data("from a pipe".utf8)
        #expect(text.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) } == text.count)
        close(ends[1])
        defer { close(ends[0]) }
        #expect(try PrivateFile(URL(filePath: "/dev/fd/\(ends[0])")).readUnforgeable() == text)
    }

    @Test("S7 the wait for a pipe without a writer ends when the task is canceled; what reads material of keys too")
    func emptyPipe() async throws {
        let url = folder.pipe()
        await expectCancellation { () throws(NetworkError) in _ = try PrivateFile(url).readUnforgeable() }
        await expectCancellation { () throws(NetworkError) in _ = try EnvironmentCatalogue(contentsOf: url) }
        await expectCancellation { () throws(NetworkError) in _ = try KeyMaterial.file(url).read() }
    }

    private func expectCancellation(_ read: @escaping @Sendable () throws(NetworkError) -> Void) async {
        let task = Task {
            do throws(NetworkError) {
                try read()
                return NetworkError.Kind?.none
            } catch {
                return error.kind
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }
}
#endif
