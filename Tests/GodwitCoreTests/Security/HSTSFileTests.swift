#if canImport(Glibc)
import Glibc
import GodwitCore
import Synchronization
import TestSupport
import Testing

@Suite("T18 the file of HSTS", .timeLimit(.minutes(15)))
struct HSTSFileTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = TemporaryFolder()
        file = folder.url.appending(path: "hsts.txt")
    }

    @Test("T18 a store without a file leaves none; what is learned is in the next one, in a file for its owner alone")
    func kept() throws {
        let first = try HSTSStore(file: file)
        try first.save()
        #expect(try folder.names == [])
        first.add(.init("a.example", includesSubdomains: true))
        try first.save()
        #expect(try folder.names == ["hsts.txt"])
        #expect(try folder.mode(of: "hsts.txt") == 0o600)
        let second = try HSTSStore(file: file)
        #expect(second.hosts == first.hosts)
        #expect(second.hosts.first?.includesSubdomains == true)
        second.clear()
        try second.save()
        #expect(try HSTSStore(file: file).hosts.isEmpty)
    }

    @Test("T18 a file of curl is read")
    func curl() throws {
        _ = try folder.file("hsts.txt", Data("# Your HSTS cache.\n.a.example \"21000101 00:00:00\"\n".utf8))
        #expect(chmod(file.path, 0o600) == 0)
        let store = try HSTSStore(file: file) { Date(timeIntervalSince1970: 4_000_000_000) }
        #expect(store.hosts.map(\.name) == ["a.example"])
    }

    @Test("T18 stores that share a file each add their changes to it, and take the others'")
    func shared() throws {
        let (first, second) = (try HSTSStore(file: file), try HSTSStore(file: file))
        first.add(.init("a.example"))
        try first.save()
        second.add(.init("b.example"))
        try second.save()
        #expect(second.hosts.map(\.name) == ["a.example", "b.example"])
        first.remove("a.example")
        first.add(.init("c.example"))
        try first.save()
        #expect(first.hosts.map(\.name) == ["b.example", "c.example"])
        #expect(try HSTSStore(file: file).hosts == first.hosts)
        // What was written once isn't written again, or the other's removals would be undone.
        second.add(.init("d.example"))
        try second.save()
        #expect(second.hosts.map(\.name) == ["b.example", "c.example", "d.example"])
    }

    @Test("T18 an entry that was only renewed isn't lost when its older time in the file has passed")
    func renewed() throws {
        let time = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
        let store = try HSTSStore(file: file) { time.withLock { $0 } }
        func add(_ name: String) { store.add(.init(name, expires: time.withLock { $0 } + 300)) }
        add("a.example")
        try store.save()
        time.withLock { $0 += 200 }
        add("a.example")
        time.withLock { $0 += 200 }
        add("b.example")
        try store.save()
        #expect(store.hosts.map(\.name) == ["a.example", "b.example"])
        #expect(try HSTSStore(file: file) { time.withLock { $0 } }.hosts == store.hosts)
    }

    @Test("T18 stores that write at the same time lose nothing")
    func concurrent() async throws {
        let file = file
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    let store = try HSTSStore(file: file)
                    for part in 0..<5 {
                        store.add(.init("h\(part).s\(number).example"))
                        try store.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try HSTSStore(file: file).hosts.count == 40)
    }

    @Test("T18 clearing removes what other stores have written, and they can't bring back what they learned before")
    func cleared() throws {
        let time = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
        func store() throws -> HSTSStore { try HSTSStore(file: file) { time.withLock { $0 } } }
        func add(_ name: String, to store: HSTSStore) { store.add(.init(name, expires: time.withLock { $0 } + 7200)) }
        let (first, second) = (try store(), try store())
        add("old.example", to: second)
        try second.save()
        // Only renewed, so not written yet.
        time.withLock { $0 += 60 }
        add("old.example", to: second)
        time.withLock { $0 += 60 }
        first.clear()
        #expect(first.hosts.isEmpty)
        #expect(try store().hosts.isEmpty)
        time.withLock { $0 += 60 }
        add("new.example", to: second)
        try second.save()
        #expect(second.hosts.map(\.name) == ["new.example"])
        try first.save()
        #expect(try store().hosts.map(\.name) == ["new.example"])
        add("own.example", to: first)
        try first.save()
        #expect(try store().hosts.map(\.name) == ["new.example", "own.example"])
    }

    @Test(
        "T18 what is learned while a clearing can't be written stays, and the clearing is written with the next change")
    func clearedLater() throws {
        let store = try HSTSStore(file: file, diagnostics: Diagnostics())
        store.add(.init("old.example"))
        try store.save()
        #expect(chmod(file.path, 0o644) == 0)
        store.clear()
        store.add(.init("new.example"))
        #expect(store.hosts.map(\.name) == ["new.example"])
        #expect(chmod(file.path, 0o600) == 0)
        try store.save()
        #expect(try HSTSStore(file: file).hosts.map(\.name) == ["new.example"])
    }

    @Test("T18 a file that others can read, a link and another kind of file are refused, and stay as they are")
    func refused() throws {
        _ = try folder.file("hsts.txt", Data("a.example \"unlimited\"\n".utf8))
        #expect(chmod(file.path, 0o644) == 0)
        #expect(fileReason { () throws(NetworkError) in try HSTSStore(file: file) }?.contains("chmod 600") == true)
        #expect(chmod(file.path, 0o600) == 0)
        let link = folder.url.appending(path: "link")
        #expect(symlink(file.path, link.path) == 0)
        #expect(fileReason { () throws(NetworkError) in try HSTSStore(file: link) }?.contains("symbolic link") == true)
        let other = try folder.file("other", Data("{\"cookies\":[]}".utf8))
        #expect(chmod(other.path, 0o600) == 0)
        #expect(
            fileReason { () throws(NetworkError) in try HSTSStore(file: other) } == "other is not an HSTS file")
        #expect(try folder.read("other") == "{\"cookies\":[]}")
    }

    @Test("T18 a file that can't be written is reported once, and the hosts are kept in memory")
    func unwritable() async throws {
        let diagnostics = Diagnostics()
        let missing = folder.url.appending(path: "missing/hsts.txt")
        let store = try HSTSStore(file: missing, diagnostics: diagnostics)
        store.add(.init("a.example"))
        for _ in 0..<2 {
            #expect(fileReason { () throws(NetworkError) in try store.save() } != nil)
        }
        #expect(store.hosts.count == 1)
        #expect(diagnostics.recent.map(\.store) == [.hsts])
        #expect(diagnostics.recent.first?.description.contains("kept in memory only") == true)
    }

    @Test("T18 a change is written soon, without being asked")
    func background() async throws {
        let store = try HSTSStore(file: file)
        store.add(.init("a.example"))
        await eventually { (try? HSTSStore(file: file).hosts.count) == 1 }
    }
}
#endif
