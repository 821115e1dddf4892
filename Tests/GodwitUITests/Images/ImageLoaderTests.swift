import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("V4 image loader", .timeLimit(.minutes(15)))
struct ImageLoaderTests {
    private struct NoPicture: Error {}

    private let gate = Gate()

    private func mock() -> MockTransport {
        MockTransport { [gate] request in
            let number = try await gate.pass()
            return .bytes(Data("\(request.path)#\(number)".utf8)).field(.cacheControl, "max-age=60")
        }
    }

    private func api(_ mock: MockTransport) -> APIClient {
        APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.retry.maximumAttempts = 1
        }
    }

    /// Pictures that are texts with their sizes.
    private func loader(_ mock: MockTransport, memoryLimit: Int = 1000) -> ImageLoader<String> {
        ImageLoader(api(mock), memoryLimit: memoryLimit) { data, size in
            let text = String(decoding: data, as: UTF8.self)
            return DecodedImage(size.map { "\(text)@\($0.width)x\($0.height)" } ?? text, byteCount: 100)
        }
    }

    @Test("V4 an image is loaded once, and then comes from memory")
    func memory() async throws {
        let mock = mock()
        let images = loader(mock)
        gate.open(1)
        #expect(images.imageInMemory(at: "https://cdn.example.com/a") == nil)
        #expect(try await images.image(at: "https://cdn.example.com/a") == "/a#1")
        #expect(try await images.image(at: "https://cdn.example.com/a") == "/a#1")
        #expect(images.imageInMemory(at: "https://cdn.example.com/a") == "/a#1")
        #expect(mock.requestCount == 1)
        images.removeAllFromMemory()
        #expect(images.imageInMemory(at: "https://cdn.example.com/a") == nil)
    }

    @Test("V4 memory is bounded by bytes: the least recently used goes first, what is too large is not kept")
    func bounded() async throws {
        let mock = mock()
        let images = loader(mock, memoryLimit: 250)
        for number in 1...3 { gate.open(number) }
        for path in ["a", "b"] { _ = try await images.image(at: "https://cdn.example.com/\(path)") }
        _ = images.imageInMemory(at: "https://cdn.example.com/a")
        _ = try await images.image(at: "https://cdn.example.com/c")
        let kept = ["a", "b", "c"].filter { images.imageInMemory(at: "https://cdn.example.com/\($0)") != nil }
        #expect(kept == ["a", "c"])
        let none = loader(mock, memoryLimit: 99)
        gate.open(4)
        _ = try await none.image(at: "https://cdn.example.com/a")
        #expect(none.imageInMemory(at: "https://cdn.example.com/a") == nil)
    }

    @Test("V4 concurrent loads share one request, and two sizes one transfer")
    func coalesces() async throws {
        let mock = mock()
        let images = loader(mock)
        let small = PixelSize(width: 10, height: 0)
        let tasks = (0..<100).map { number in
            Task { try await images.image(at: "https://cdn.example.com/a", fitting: number < 50 ? nil : small) }
        }
        while images.waitingCount < 100 { await Task.yield() }
        gate.open(1)
        var pictures: Set<String> = []
        for task in tasks { pictures.insert(try await task.value) }
        #expect(pictures == ["/a#1", "/a#1@10x1"])
        #expect(mock.requestCount == 1)
    }

    @Test("V4 canceling one waiter keeps the request; canceling the last one cancels it")
    func cancels() async throws {
        let mock = mock()
        let images = loader(mock)
        let tasks = (0..<2).map { _ in Task { try await images.image(at: "https://cdn.example.com/a") } }
        while images.waitingCount < 2 { await Task.yield() }
        try await gate.waitForBeginning(of: 1)
        tasks[0].cancel()
        let first = await #expect(throws: NetworkError.self) { try await tasks[0].value }
        #expect(first?.kind == .cancelled)
        #expect(gate.cancelled == 0)
        tasks[1].cancel()
        let second = await #expect(throws: NetworkError.self) { try await tasks[1].value }
        #expect(second?.kind == .cancelled)
        try await gate.waitForCancellation()
        try await mock.waitUntilExchangesEnd()
        gate.open(2)
        #expect(try await images.image(at: "https://cdn.example.com/a") == "/a#2")
    }

    @Test("V4 the last of two sizes that is still wanted keeps the transfer")
    func cancelsOneSize() async throws {
        let mock = mock()
        let images = loader(mock)
        let large = Task { try await images.image(at: "https://cdn.example.com/a") }
        let small = Task {
            try await images.image(at: "https://cdn.example.com/a", fitting: PixelSize(width: 1, height: 2))
        }
        while images.waitingCount < 2 { await Task.yield() }
        try await gate.waitForBeginning(of: 1)
        large.cancel()
        _ = await large.result
        for _ in 0..<100 { await Task.yield() }
        gate.open(1)
        #expect(try await small.value == "/a#1@1x2")
        #expect(mock.requestCount == 1)
    }

    @Test("V4 what memory has forgotten comes from the client's cache, without a request")
    func clientCache() async throws {
        let mock = mock()
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.cache = .memory(limit: 1 << 20) }
        let images = ImageLoader(api)
        gate.open(1)
        let first = try await images.image(at: "https://cdn.example.com/a")
        images.removeAllFromMemory()
        #expect(try await images.image(at: "https://cdn.example.com/a") == first)
        #expect(mock.requestCount == 1)
    }

    @Test(
        "V4 a status that is no success, bytes that are no image and a text that is not a URL throw, and are not kept")
    func failures() async throws {
        let mock = MockTransport {
            $0.get("/gone").reply(.status(404))
            $0.get("/text").reply(.text("hello"))
        }
        let images = ImageLoader<Int>(api(mock)) { _, _ in throw NoPicture() }
        let gone = await #expect(throws: NetworkError.self) {
            try await images.image(at: "https://cdn.example.com/gone")
        }
        #expect(gone?.kind == .notFound)
        for _ in 0..<2 {
            let text = await #expect(throws: NetworkError.self) {
                try await images.image(at: "https://cdn.example.com/text")
            }
            #expect(text?.underlying is NoPicture)
            guard case .decoding = text?.kind else {
                Issue.record("it is \(String(describing: text))")
                return
            }
        }
        let invalid = await #expect(throws: NetworkError.self) { try await images.image(at: "no url") }
        guard case .invalidURL = invalid?.kind else {
            Issue.record("it is \(String(describing: invalid))")
            return
        }
        #expect(images.imageInMemory(at: "no url") == nil)
        #expect(mock.requestCount == 3)
    }

    @Test("V4 credentials of the client do not go to another origin, and images are asked for")
    func fields() async throws {
        let mock = mock()
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.authentication = .credential(.bearer("secret"))
        }
        let images = ImageLoader(api)
        gate.open(1)
        gate.open(2)
        _ = try await images.image(at: "https://cdn.example.com/a")
        _ = try await images.image(at: "https://api.example.com/a")
        let requests = mock.requests
        #expect(requests[0].fields[.authorization] == nil)
        #expect(requests[1].fields[.authorization] != nil)
        #expect(requests[0].fields[.accept]?.hasPrefix("image/*") == true)
    }
}
