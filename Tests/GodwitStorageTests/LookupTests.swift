import GodwitStorage
import GodwitTesting
import TestSupport
import Testing

@Suite("C2 looking a response up", .timeLimit(.minutes(15)))
struct LookupTests {
    let folder = TemporaryFolder()

    private func variant(_ language: String, _ bytes: Int = 1000, at time: Double = 0) throws -> CachedResponse {
        CachedResponse(
            url: try HTTPURL("https://example.com/a"), variant: "accept-language: \(language)", status: .ok,
            fields: [.vary: "Accept-Language"], body: Data(repeating: UInt8(language.utf8.count), count: bytes),
            requestTime: Date(timeIntervalSince1970: time), responseTime: Date(timeIntervalSince1970: time))
    }

    private func find(_ language: String, in store: any CacheStore) async throws -> CachedResponse? {
        await store.response(for: try HTTPURL("https://example.com/a"), matching: [.acceptLanguage: language])
    }

    @Test("C2 the variant that answers a request is found with its body", arguments: StoreKind.allCases)
    func chosen(_ kind: StoreKind) async throws {
        let store = try kind.store(in: folder)
        let stored = try ["d", "en", "fra"].map { try variant($0) }
        for response in stored { await store.store(response) }
        for (language, response) in zip(["d", "en", "fra"], stored) {
            #expect(try await find(language, in: store) == response)
        }
        #expect(try await find("it", in: store) == nil)
        let other = try HTTPURL("https://example.com/b")
        #expect(await store.response(for: other, matching: [:]) == nil)
    }

    @Test("C6 the stored dictionaries are found, also with a field name in lowercase", arguments: StoreKind.allCases)
    func dictionaries(_ kind: StoreKind) async throws {
        let store = try kind.store(in: folder)
        for (path, name) in [("1", "Use-As-Dictionary"), ("2", "use-as-dictionary"), ("3", "X-Other")] {
            let fields = HTTPFields([try #require(HTTPField(name: HTTPField.Name(name) ?? "X", value: "match=\"/*\""))])
            await store.store(
                CachedResponse(
                    url: try HTTPURL("https://example.com/\(path)"), variant: "", status: .ok, fields: fields,
                    body: Data("Use-As-Dictionary:".utf8), requestTime: Date(), responseTime: Date()))
        }
        let found = await store.dictionaries()
        #expect(found.map(\.url.path).sorted() == ["/1", "/2"])
        #expect(found.allSatisfy { $0.fields[.useAsDictionary] == "match=\"/*\"" })
    }

    @Test("C2 a custom store only has to return all responses of a URL")
    func own() async throws {
        struct Fixed: CacheStore {
            let kept: [CachedResponse]
            func responses(for url: HTTPURL) async -> [CachedResponse] { kept }
            func store(_ response: CachedResponse) async {}
            func remove(_ response: CachedResponse) async {}
            func removeAll(for url: HTTPURL) async {}
            func removeAll() async {}
            func urls() async -> [HTTPURL] { [] }
            func byteCount() async -> Int { 0 }
        }
        let stored = try ["d", "en"].map { try variant($0) }
        #expect(try await find("en", in: Fixed(kept: stored)) == stored[1])
    }

    @Test("C2 a lookup on disk reads the chosen body alone")
    func oneBody() async throws {
        let store = try StoreKind.disk.store(in: folder)
        for language in ["d", "en", "fra"] { await store.store(try variant(language)) }
        // The others' bodies are gone: whoever reads them finds less.
        try folder.query("DELETE FROM bodies WHERE id <> (SELECT id FROM records WHERE variant LIKE '%en')")
        #expect(try await find("en", in: store) == (try variant("en")))
        #expect(try await find("d", in: store) == nil)
        #expect(await store.responses(for: try HTTPURL("https://example.com/a")).count == 1)
    }

    @Test("C2 only the variant that was answered with counts as used", arguments: StoreKind.allCases)
    func honest(_ kind: StoreKind) async throws {
        let store = try kind.store(in: folder, limit: 4500)
        for language in ["d", "en", "fra"] { await store.store(try variant(language)) }
        #expect(try await find("d", in: store) != nil)
        await store.store(try response("new"))
        #expect(try await find("d", in: store) != nil)
        #expect(try await find("en", in: store) == nil)
        #expect(try await find("fra", in: store) != nil)
    }

    @Test("C2 one response takes an eighth of the store at most, and evicts nothing", arguments: StoreKind.allCases)
    func cap(_ kind: StoreKind) async throws {
        let store = try kind.store(in: folder)
        for number in 0..<100 { await store.store(try response("\(number)")) }
        await store.store(try response("large", (1 << 20) / 8))
        #expect(await store.urls().count == 100)
        await store.store(try response("fits", (1 << 20) / 8 - 2000))
        #expect(try await store.has("fits"))
        // What it would have replaced is no longer true.
        await store.store(try response("fits", 1 << 19))
        #expect(try await !store.has("fits"))
    }

    @Test("C2 the entry limit can be set", arguments: StoreKind.allCases)
    func chosenCap(_ kind: StoreKind) async throws {
        let store = try kind.store(in: folder, entryLimit: 1 << 19)
        await store.store(try response("large", 1 << 18))
        #expect(try await store.has("large"))
        await store.store(try response("larger", 1 << 19))
        #expect(try await !store.has("larger"))
    }

    @Test("C2 of one URL 64 variants are kept, those used last", arguments: StoreKind.allCases)
    func manyVariants(_ kind: StoreKind) async throws {
        let store = try kind.store(in: folder)
        await store.store(try response("other"))
        for number in 0..<100 {
            await store.store(try variant("\(number)", 10))
            if number % 10 == 0 { #expect(try await find("3", in: store) != nil || number < 3) }
        }
        #expect(await store.responses(for: try HTTPURL("https://example.com/a")).count == 64)
        #expect(try await find("3", in: store) != nil)
        #expect(try await find("4", in: store) == nil)
        #expect(try await find("99", in: store) != nil)
        #expect(try await store.has("other"))
    }
}
