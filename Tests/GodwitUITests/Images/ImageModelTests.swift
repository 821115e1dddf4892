import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("V4 the image of a view", .timeLimit(.minutes(15)))
@MainActor
struct ImageModelTests {
    private let gate = Gate()

    private func loader(
        failing failures: [Int: MockResponse] = [:],
        _ configure: @Sendable (inout ClientConfiguration) -> Void = { _ in }
    ) -> ImageLoader<String> {
        let mock = MockTransport { [gate] request in
            let call = try await gate.pass()
            return failures[call] ?? .bytes(Data("\(request.path)#\(call)".utf8))
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.retry.maximumAttempts = 1
            configure(&$0)
        }
        return ImageLoader(api) { data, _ in DecodedImage(String(decoding: data, as: UTF8.self), byteCount: 10) }
    }

    private func phase(_ model: ImageModel<String>) -> String {
        switch model.phase {
        case .empty: "empty"
        case .loading(let preview): "loading \(preview ?? "-")"
        case .success(let image): image.picture
        case .failure: "failure"
        }
    }

    private let a = "https://a.example.com/a", b = "https://a.example.com/b"

    @Test("V4 empty, loading, success; the same URL again loads nothing, no URL shows nothing")
    func phases() async throws {
        let model = ImageModel(loader())
        let history = History { phase(model) }
        #expect(phase(model) == "empty")
        let task = Task { await model.load(a) }
        try await gate.waitForBeginning(of: 1)
        #expect(phase(model) == "loading -")
        gate.open(1)
        await task.value
        await model.load(a)
        #expect(phase(model) == "/a#1" && model.phase.isSuccess)
        history.catchUp()
        #expect(history.values == ["empty", "loading -", "/a#1"])
        await model.load(String?.none)
        #expect(phase(model) == "empty")
        #expect(gate.begun == 1)
    }

    @Test("V4 an image of another size shows that of the previous size until it is loaded, also in the first frame")
    func anotherSize() async throws {
        let model = ImageModel(loader())
        gate.open(1)
        await model.load(a)
        let size = PixelSize(width: 9, height: 9)
        let url = try HTTPURL(a)
        #expect(model.phase(of: url, fitting: size).picture == "/a#1" && !model.phase(of: url, fitting: size).isSuccess)
        #expect(model.phase(of: try HTTPURL(b), fitting: nil).picture == nil)
        let task = Task { await model.load(a, fitting: size) }
        try await gate.waitForBeginning(of: 2)
        #expect(phase(model) == "loading /a#1")
        gate.open(2)
        await task.value
        #expect(phase(model) == "/a#2")
    }

    @Test("V4 a view observes the phase also while it shows another image")
    func observed() async throws {
        let model = ImageModel(loader())
        gate.open(1)
        await model.load(a)
        let url = try HTTPURL(b)
        let history = History { model.phase(of: url, fitting: nil).picture }
        gate.open(2)
        await model.load(b)
        await until { model.phase.isSuccess }
        for _ in 0..<10 where history.values.count < 2 { await Task.yield() }
        #expect(history.values == [nil, "/b#2"])
    }

    @Test("V4 A6 a view loads its image again when the account has changed")
    func resets() async throws {
        let api = APIClient(baseURL: "https://api.example.com", transport: MockTransport { _ in .text("a") }) {
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
        let model = ImageModel(ImageLoader<String>(api) { _, _ in DecodedImage("a", byteCount: 1) })
        await model.load(a)
        #expect(phase(model) == "a")
        let before = model.resetCount
        try await api.signIn(AccessToken(access: "bob"))
        #expect(model.resetCount == before + 1 && phase(model) == "empty")
    }

    @Test("V4 retrying an image that couldn't be decoded bypasses the HTTP cache; another failure uses it")
    func undecodable() async throws {
        struct Broken: Error {}
        let broken = Watched(true)
        let mock = MockTransport { _ in
            var response = MockResponse.bytes(Data((broken.value ? "broken" : "whole").utf8))
            response.fields[.cacheControl] = "max-age=60"
            return response
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.cache = .memory(limit: 1 << 20) }
        let images = ImageLoader<String>(api) { data, _ in
            guard data.count == 5 else { throw Broken() }
            return DecodedImage("whole", byteCount: 1)
        }
        let model = ImageModel(images)
        await model.load(a)
        #expect(phase(model) == "failure" && mock.requestCount == 1)
        broken.update { $0 = false }
        await model.retry()
        #expect(phase(model) == "whole" && mock.requestCount == 2)
    }

    @Test("V4 an image in memory is shown without a loading phase")
    func fromMemory() async throws {
        let images = loader()
        gate.open(1)
        _ = try await images.image(at: a)
        let model = ImageModel(images)
        let history = History { phase(model) }
        await model.load(a)
        history.catchUp()
        #expect(history.values == ["empty", "/a#1"])
    }

    @Test("V4 the latest URL wins: the former one's request is canceled and its image never shown")
    func latestWins() async throws {
        let model = ImageModel(loader())
        let first = Task { await model.load(a) }
        try await gate.waitForBeginning(of: 1)
        let second = Task { await model.load(b) }
        try await gate.waitForCancellation()
        try await gate.waitForBeginning(of: 2)
        #expect(phase(model) == "loading -")
        gate.open(2)
        await second.value
        await first.value
        #expect(phase(model) == "/b#2")
    }

    @Test(
        "V4 the previous image is removed, or kept until the next one is loaded",
        arguments: [PreviousImage.removed, .kept])
    func previous(_ previous: PreviousImage) async throws {
        let model = ImageModel(loader(), previous: previous)
        gate.open(1)
        await model.load(a)
        let task = Task { await model.load(b) }
        try await gate.waitForBeginning(of: 2)
        #expect(phase(model) == (previous == .kept ? "loading /a#1" : "loading -"))
        gate.open(2)
        await task.value
        #expect(phase(model) == "/b#2")
    }

    @Test("V4 a failure is shown, and retried when asked; an image that is shown isn't")
    func retry() async throws {
        let model = ImageModel(loader(failing: [1: .status(500), 2: .text("")]))
        for call in 1...3 { gate.open(call) }
        await model.load(a)
        #expect(model.phase.error?.kind == .server(status: 500))
        await model.retry()
        #expect(phase(model) == "")
        await model.retry()
        #expect(gate.begun == 2)
        await model.load("no url")
        guard case .invalidURL = model.phase.error?.kind else {
            Issue.record("\(model.phase)")
            return
        }
        await model.retry()
        #expect(phase(model) == "failure")
    }

    @Test("V4 what failed for lack of a network is loaded again when it returns, unless the view disappeared")
    func networkReturns() async throws {
        let feed = PathFeed(.unsatisfied)
        let lost = MockResponse.failure(.transport(.connectionLost("")), phase: .receiving)
        let model = ImageModel(loader(failing: [1: lost, 3: lost]), retryingWith: feed)
        for call in 1...4 { gate.open(call) }
        await model.load(a)
        #expect(phase(model) == "failure")
        feed.update(NetworkPath(status: .satisfied, interfaces: [.wifi]))
        await until { model.phase.isSuccess }
        #expect(phase(model) == "/a#2")
        feed.update(.unsatisfied)
        await model.load(b)
        #expect(phase(model) == "failure")
        model.cancel()
        feed.update(NetworkPath(status: .satisfied, interfaces: [.wifi]))
        for _ in 0..<200 { await Task.yield() }
        #expect(gate.begun == 3)
    }

    @Test("V4 when the task of the view is canceled, the request is, and the phase returns to what it was")
    func cancels() async throws {
        let model = ImageModel(loader(failing: [2: .status(500)]))
        for appearance in [1, 3] {
            let task = Task { await model.load(a) }
            try await gate.waitForBeginning(of: appearance)
            task.cancel()
            await task.value
            try await gate.waitForCancellation(count: appearance == 1 ? 1 : 2)
            await until { model.phase.picture == nil && !"\(model.phase)".hasPrefix("loading") }
            #expect(phase(model) == (appearance == 1 ? "empty" : "failure"))
            gate.open(2)
            if appearance == 1 { await model.load(a) }
        }
        gate.open(4)
        await model.retry()
        #expect(phase(model) == "/a#4")
    }

    @Test("V4 releasing the model cancels its request")
    func releases() async throws {
        var model: ImageModel<String>? = ImageModel(loader())
        let task = Task { [weak model] in await model?.load(a) }
        try await gate.waitForBeginning(of: 1)
        task.cancel()
        await task.value
        model = nil
        try await gate.waitForCancellation()
        #expect(model == nil)
    }

    @Test("V4 A6 when the account changes, the image disappears at once, and what loads for it is not shown")
    func account() async throws {
        let images = loader {
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
        let model = ImageModel(images)
        gate.open(1)
        await model.load(a)
        #expect(phase(model) == "/a#1")
        try await images.signIn("bob")
        #expect(phase(model) == "empty")
        let task = Task { await model.load(a) }
        try await gate.waitForBeginning(of: 2)
        try await images.signIn("carol")
        await task.value
        #expect(phase(model) == "empty")
    }

    @Test("V4 a preview is shown while the image loads")
    func previews() async throws {
        let source = ChunkFeed()
        let mock = MockTransport { _ in .stream(once: source.open()) }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        let images = ImageLoader<String>(api, options: ImageOptions()) { _, _ in
            DecodedImage("image", byteCount: 1)
        } preview: { _, _ in
            DecodedImage("preview", byteCount: 1)
        }
        let model = ImageModel(images)
        let task = Task { await model.load(a) }
        try await source.waitForOpening()
        source.send(SampleImage.jpeg(width: 3, height: 3, progressive: true))
        await until { model.phase.picture != nil }
        #expect(phase(model) == "loading preview")
        source.end()
        await task.value
        #expect(phase(model) == "image")
    }
}

extension ImageLoader {
    fileprivate func signIn(_ name: String) async throws {
        try await api.signIn(AccessToken(access: name))
    }
}
