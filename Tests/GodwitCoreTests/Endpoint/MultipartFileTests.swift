import GodwitCore
import GodwitTesting
import TestSupport
import Testing

@Suite("B2 Multipart forms in files")
struct MultipartFileTests {
    private let folder = TemporaryFolder()

    private var target: URL { folder.url.appending(path: "form.bin") }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    private func kind(_ form: MultipartForm, limit: Int64? = nil) async -> NetworkError.Kind? {
        await #expect(throws: NetworkError.self) { try await form.write(to: target, limit: limit) }?.kind
    }

    @Test("B2 a form in a file has the bytes that are sent, and its owner alone may read it")
    func bytes() async throws {
        let photo = folder.url.appending(path: "photo.jpg")
        try Data(repeating: 7, count: 300_000).write(to: photo)
        var form = MultipartForm()
        form.field("caption", "Low tide")
        form.file("photo", at: photo)
        form.stream(
            "more",
            .stream {
                AsyncStream {
                    $0.yield(Data("x".utf8)); $0.finish()
                }
            }, fileName: "more.bin")
        let count = try await form.write(to: target)
        let written = try Data(contentsOf: target)
        #expect(count == Int64(written.count))
        let mock = MockTransport { $0.post("/photos").reply(.status(.noContent)) }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        try await api.send(Endpoint<Void>.post("photos", body: .multipart(form)))
        #expect(mock.requests[0].body == written)
        let mode = try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try names() == ["form.bin", "photo.jpg"])
    }

    @Test("B2 a form can be written to a name of 255 bytes")
    func longName() async throws {
        let name = String(repeating: "n", count: 255)
        try await MultipartForm().write(to: folder.url.appending(path: name))
        #expect(try names() == [name])
    }

    @Test("B2 an existing file stays unless it is to be replaced, and then it changes in one step")
    func existing() async throws {
        try Data("old".utf8).write(to: target)
        var form = MultipartForm()
        form.field("a", "b")
        #expect(await kind(form) == .file(reason: "form.bin exists already"))
        #expect(try Data(contentsOf: target) == Data("old".utf8))
        try await form.write(to: target, existingFile: .replace)
        #expect(String(decoding: try Data(contentsOf: target), as: UTF8.self).contains("name=\"a\""))
        #expect(try names() == ["form.bin"])
    }

    @Test("B2 a folder in the file's place is not replaced, and a folder that is missing is not made")
    func places() async throws {
        var form = MultipartForm()
        form.field("a", "b")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
        let error = await #expect(throws: NetworkError.self) {
            try await form.write(to: target, existingFile: .replace)
        }
        #expect(error?.kind == .file(reason: "form.bin is not a regular file"))
        let missing = folder.url.appending(path: "no/form.bin")
        let second = await #expect(throws: NetworkError.self) { try await form.write(to: missing) }
        guard case .file(let reason) = second?.kind else { throw Unexpected() }
        #expect(reason.contains("No such file"))
    }

    @Test("B2 a part that cannot be read, and a stream that fails, leave nothing")
    func failures() async throws {
        var missing = MultipartForm()
        missing.file("photo", at: folder.url.appending(path: "missing.jpg"))
        guard case .file = await kind(missing) else { throw Unexpected() }
        var failing = MultipartForm()
        failing.field("a", String(repeating: "a", count: 100_000))
        failing.stream(
            "more", .stream { AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Unexpected()) } },
            fileName: "more.bin")
        _ = await kind(failing)
        #expect(try names() == [])
    }

    @Test("B2 a form beyond the limit is too large, whether its length is known or not", arguments: [true, false])
    func limit(isKnown: Bool) async throws {
        var form = MultipartForm()
        if isKnown {
            form.data("a", Data(count: 1000))
        } else {
            form.stream(
                "a",
                .stream {
                    AsyncStream {
                        $0.yield(Data(count: 1000)); $0.finish()
                    }
                }, fileName: "a")
        }
        #expect(await kind(form, limit: 1000) == .tooLarge(limit: 1000))
        #expect(try names() == [])
        #expect(try await form.write(to: target, limit: 2000) > 1000)
    }

    @Test("B2 a canceled writing leaves nothing")
    func cancelled() async throws {
        let (stream, feed) = AsyncStream<Data>.makeStream()
        var form = MultipartForm()
        form.stream("a", .stream(once: stream), fileName: "a")
        let (target, form2) = (target, form)
        let task = Task { try await form2.write(to: target) }
        feed.yield(Data(count: 10))
        task.cancel()
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        #expect(try names() == [])
        feed.finish()
    }
}

private struct Unexpected: Error {}
