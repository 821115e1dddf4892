import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("V4 prefetching of images", .timeLimit(.minutes(15)))
struct PrefetchTests {
    private let gate = Gate()

    private func mock() -> MockTransport {
        MockTransport { [gate] request in
            _ = try await gate.pass()
            return .bytes(Data(request.path.utf8))
        }
    }

    private func loader(_ mock: MockTransport) -> ImageLoader<Data> {
        ImageLoader(APIClient(baseURL: "https://api.example.com", transport: mock) { $0.retry.maximumAttempts = 1 })
    }

    private func urls(_ count: Int, _ folder: String = "p") -> [String] {
        (0..<count).map { "https://cdn.example.com/\(folder)/\($0)" }
    }

    private func open(_ count: Int) {
        for number in 1...count { gate.open(number) }
    }

    @Test("V4 prefetched images are in memory, four at a time, and broken ones are skipped")
    func loads() async throws {
        let mock = mock()
        let images = loader(mock)
        let prefetch = images.prefetch(urls(10) + ["no url"])
        try await gate.waitForBeginning(of: 4)
        for _ in 0..<200 { await Task.yield() }
        #expect(mock.requestCount == 4)
        open(10)
        await prefetch.wait()
        #expect(urls(10).allSatisfy { images.imageInMemory(at: $0) != nil })
        await images.prefetch(urls(10)).wait()
        #expect(mock.requestCount == 10)
        await images.prefetch([String]()).wait()
    }

    @Test("V4 the requests of prefetched images have a low priority, those of visible ones the client's")
    func priorities() async throws {
        let seen = Watched<[RequestPriority]>([])
        let images = ImageLoader(
            APIClient(baseURL: "https://api.example.com", transport: mock()) {
                $0.middleware = [PriorityLog(seen: seen)]
            })
        open(2)
        await images.prefetch(urls(1)).wait()
        _ = try await images.image(at: "https://cdn.example.com/visible")
        #expect(seen.value == [.low, .normal])
    }

    @Test("V4 1,000 prefetches stopped at once send nothing more, and what was on its way is canceled")
    func stops() async throws {
        let mock = mock()
        let images = loader(mock)
        let prefetch = images.prefetch(urls(1000))
        try await gate.waitForBeginning(of: 4)
        prefetch.stop()
        try await gate.waitForCancellation(count: 4)
        await prefetch.wait()
        open(1010)
        #expect(try await images.image(at: "https://cdn.example.com/other") == Data("/other".utf8))
        for _ in 0..<200 { await Task.yield() }
        #expect(mock.requestCount == 5)
        prefetch.stop()
    }

    @Test("V4 releasing the handle stops the prefetch")
    func release() async throws {
        let images = loader(mock())
        var prefetch: ImagePrefetch? = images.prefetch(urls(100))
        try await gate.waitForBeginning(of: 4)
        #expect(prefetch != nil)
        prefetch = nil
        try await gate.waitForCancellation(count: 4)
        #expect(gate.begun == 4)
    }

    @Test("V4 an image that a view waits for survives the stop of its prefetch")
    func shared() async throws {
        let mock = mock()
        let images = loader(mock)
        let prefetch = images.prefetch(urls(4))
        try await gate.waitForBeginning(of: 4)
        let view = Task { try await images.image(at: urls(4)[2]) }
        while images.waitingCount < 5 { await Task.yield() }
        prefetch.stop()
        try await gate.waitForCancellation(count: 3)
        open(4)
        #expect(try await view.value == Data("/p/2".utf8))
        #expect(mock.requestCount == 4)
    }

    @Test("V4 visible images start at once, and prefetching pauses while enough of them load")
    func visibleFirst() async throws {
        let mock = mock()
        let images = loader(mock)
        let views = urls(4, "v").map { url in Task { try await images.image(at: url) } }
        try await gate.waitForBeginning(of: 4)
        let prefetch = images.prefetch(urls(2))
        for _ in 0..<200 { await Task.yield() }
        #expect(mock.requestCount == 4)
        let fifth = Task { try await images.image(at: "https://cdn.example.com/v/5") }
        try await gate.waitForBeginning(of: 5)
        open(7)
        for view in views { _ = try await view.value }
        _ = try await fifth.value
        await prefetch.wait()
        #expect(mock.requests.suffix(2).map(\.path).sorted() == ["/p/0", "/p/1"])
    }

    @Test("V4 a prefetch of a former account sends nothing for the next one")
    func account() async throws {
        let mock = mock()
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
        let images = ImageLoader(api)
        let prefetch = images.prefetch(urls(20))
        try await gate.waitForBeginning(of: 4)
        try await api.signIn(AccessToken(access: "bob"))
        open(20)
        await prefetch.wait()
        #expect(mock.requestCount == 4)
        #expect(images.memoryByteCount == 0)
    }
}

private struct PriorityLog: RequestMiddleware {
    let seen: Watched<[RequestPriority]>

    func prepare(_ call: inout Call) {
        let priority = call.request.options.priority
        seen.update { $0.append(priority) }
    }
}
