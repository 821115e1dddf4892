#if canImport(Glibc)
import Glibc
import GodwitStorage
import TestSupport
import Testing

@Suite("C2 stores under symbolic links", .timeLimit(.minutes(15)))
struct LinkedFolderTests {
    let folder = TemporaryFolder()

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
    }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }

    @Test("C2 a store under a link keeps what it is given, in the folder that the link leads to")
    func linked() async throws {
        try makeFolder("real/inner")
        try link("link", to: "real")
        let diagnostics = Diagnostics()
        for path in ["link", "link/inner", "link/new/below"] {
            let url = folder.url.appending(path: path)
            do {
                let store = try DiskCacheStore(directory: url, diagnostics: diagnostics)
                await store.store(try response("a"))
                let models = try DiskModelStore(directory: url, diagnostics: diagnostics)
                await models.store(StoredModel(data: Data([1]), date: Date()), for: "m")
            }
            let real = folder.url.appending(path: "real" + path.dropFirst(4))
            #expect(try await DiskCacheStore(directory: real).has("a"))
            #expect(await (try DiskModelStore(directory: real)).model(for: "m")?.data == Data([1]))
            #expect(try await DiskCacheStore(directory: url).has("a"))
        }
        #expect(diagnostics.recent.isEmpty)
        #expect(try folder.mode(of: "real/new/below") == 0o700)
    }

    @Test("C2 links may be absolute, lead to links, climb with .., and lead to a folder that is still to be made")
    func kinds() async throws {
        try makeFolder("real/x")
        try link("absolute", to: folder.path("real"))
        try link("chain", to: "absolute/x")
        try link("real/x/up", to: "../../real/./x")
        try link("dangling", to: "made/later")
        for path in ["absolute", "chain", "real/x/up", "dangling", "chain/../x/up/up"] {
            do {
                let store = try DiskCacheStore(directory: folder.url.appending(path: path))
                await store.store(try response(path))
                #expect(try await store.has(path), "\(path)")
            }
        }
        #expect(folder.size(of: "made/later/responses.sqlite") > 0)
        #expect(await paths(try DiskCacheStore(directory: folder.url.appending(path: "real/x"))).count == 3)
    }

    @Test("C2 links that lead in a circle, or to a file, are said immediately", arguments: ["circle", "file"])
    func circle(_ name: String) throws {
        try link("circle", to: "circle/x")
        try Data().write(to: folder.url.appending(path: "plain"))
        try link("file", to: "plain")
        #expect(throws: NetworkError.self) { try DiskCacheStore(directory: folder.url.appending(path: name)) }
    }

    @Test("C2 a link of another user is not followed", .enabled(if: geteuid() == 0, "needs root"))
    func foreignLink() throws {
        try makeFolder("real")
        try link("link", to: "real")
        lchown(folder.path("link"), 65_534, 65_534)
        let error = #expect(throws: NetworkError.self) {
            try DiskCacheStore(directory: folder.url.appending(path: "link"))
        }
        #expect(error?.description.contains("belongs to another user") == true)
    }

    @Test("C2 a link that is changed later changes nothing for a store that is open")
    func changedLink() async throws {
        for name in ["one", "two"] { try makeFolder(name) }
        try link("link", to: "one")
        let store = try DiskCacheStore(directory: folder.url.appending(path: "link"))
        await store.store(try response("a"))
        try FileManager.default.removeItem(atPath: folder.path("link"))
        try link("link", to: "two")
        await store.store(try response("b"))
        #expect(await paths(store) == ["/a", "/b"])
        #expect(folder.size(of: "two/responses.sqlite") == 0)
    }
}
#endif
