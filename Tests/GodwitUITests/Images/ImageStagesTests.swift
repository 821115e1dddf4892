import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("V4 images in stages", .timeLimit(.minutes(15)))
struct ImageStagesTests {
    private let clock = TestClock()
    private let source = ChunkFeed()
    private let beginning = SampleImage.jpeg(width: 30, height: 20, progressive: true)

    private func loader(
        _ mock: MockTransport, attempts: Int = 1, _ configure: (inout ImageOptions) -> Void = { _ in }
    ) -> ImageLoader<String> {
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.retry.maximumAttempts = attempts
            $0.retry.backoff = Backoff(base: .zero)
        }
        return loader(api, ImageOptions(configure))
    }

    private func loader(_ api: APIClient, _ options: ImageOptions = ImageOptions()) -> ImageLoader<String> {
        ImageLoader(
            api, options: options, clock: clock,
            decode: { data, _ in DecodedImage("whole \(data.count)", byteCount: 1) },
            preview: { data, size in DecodedImage("\(data.count) in \(size?.width ?? 0)", byteCount: 1) })
    }

    private func mock() -> MockTransport {
        MockTransport { [source] _ in .stream(once: source.open()) }
    }

    private func text(_ stage: ImageStage<String>?) -> String? {
        switch stage {
        case .preview(let text): "preview \(text)"
        case .image(let image): image.picture
        case nil: nil
        }
    }

    @Test("V4 a progressive image shows previews at the rate of the option, at most as many as it says, then the image")
    func previews() async throws {
        let images = loader(mock()) { $0.previewLimit = 2 }
        var stages = images.stages(of: "https://a.example.com/p", fitting: PixelSize(width: 9, height: 9))
            .makeAsyncIterator()
        try await source.waitForOpening()
        source.send(beginning.prefix(10))
        source.send(beginning.dropFirst(10))
        let first = try #require(try await source.whileSending { text(try await stages.next()) })
        #expect(first.hasPrefix("preview ") && first.hasSuffix(" in 9"))
        try await clock.waitForSleepers(count: 1)
        // Between two previews, arriving bytes are not decoded.
        for _ in 0..<10 { source.send(Data(count: 100)) }
        try await source.waitUntilTaken()
        clock.advance(by: .milliseconds(300))
        let second = try #require(try await source.whileSending { text(try await stages.next()) })
        #expect(second.hasPrefix("preview ") && second != first)
        for _ in 0..<10 { source.send(Data(count: 10)) }
        source.end()
        #expect(text(try await stages.next())?.hasPrefix("whole ") == true)
        #expect(try await stages.next() == nil)
        #expect(images.imageInMemory(at: "https://a.example.com/p", fitting: PixelSize(width: 9, height: 9)) != nil)
    }

    @Test("V4 a plain image, one that is too large, and one in memory have no previews")
    func noPreviews() async throws {
        for file in [SampleImage.jpeg(width: 3, height: 2), SampleImage.png(width: 3, height: 2)] {
            let images = loader(mock())
            let stages = Task { try await texts(images.stages(of: "https://a.example.com/p")) }
            try await source.waitForOpening()
            source.send(file)
            source.send(Data(count: 10))
            source.end()
            #expect(try await stages.value == ["whole \(file.count + 10)"])
            #expect(try await texts(images.stages(of: "https://a.example.com/p")) == ["whole \(file.count + 10)"])
        }
        let strict = loader(mock()) { $0.pixelLimit = 10 }
        let stages = Task { try await texts(strict.stages(of: "https://a.example.com/p")) }
        try await source.waitForOpening()
        source.send(beginning)
        source.end()
        let error = await #expect(throws: NetworkError.self) { try await stages.value }
        #expect(error?.underlying is ImageTooLarge)
    }

    @Test("V4 a preview that can't be decoded is left out")
    func brokenPreview() async throws {
        struct Broken: Error {}
        let api = APIClient(baseURL: "https://api.example.com", transport: mock())
        let images = ImageLoader<String>(api, options: ImageOptions()) { _, _ in
            DecodedImage("whole", byteCount: 1)
        } preview: { _, _ in
            throw Broken()
        }
        let stages = Task { try await texts(images.stages(of: "https://a.example.com/p")) }
        try await source.waitForOpening()
        source.send(beginning)
        source.end()
        #expect(try await stages.value == ["whole"])
    }

    @Test("V4 an invalid URL and an error status throw; a canceled task cancels the request")
    func failures() async throws {
        let images = loader(MockTransport { _ in .status(404) })
        let invalid = await #expect(throws: NetworkError.self) { try await texts(images.stages(of: "no url")) }
        guard case .invalidURL = invalid?.kind else {
            Issue.record("it is \(String(describing: invalid))")
            return
        }
        let missing = await #expect(throws: NetworkError.self) {
            try await texts(images.stages(of: "https://a.example.com/p"))
        }
        #expect(missing?.kind == .notFound)
        let mock = mock()
        let endless = loader(mock)
        let task = Task { try await texts(endless.stages(of: "https://a.example.com/p")) }
        try await source.waitForOpening()
        source.send(beginning)
        task.cancel()
        let canceled = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(canceled?.kind == .cancelled)
        try await mock.waitUntilExchangesEnd()
    }

    @Test("V4 a streamed download that breaks is downloaded again, with the client's retries")
    func brokenTransfer() async throws {
        let calls = Watched(0)
        let file = beginning + Data(count: 100)
        let mock = MockTransport { _ in
            let call = calls.update { calls in
                calls += 1
                return calls
            }
            let response = MockResponse.bytes(file)
            return call == 1 ? response.dropped(after: .bytes(file.count - 5)) : response
        }
        #expect(
            try await texts(loader(mock, attempts: 2).stages(of: "https://a.example.com/p")).last
                == "whole \(file.count)")
        #expect(calls.value == 2)
    }

    @Test("V4 an image that was shown in stages is in the client's cache: another launch loads nothing")
    func cached() async throws {
        let mock = MockTransport { [source] _ in
            var response = MockResponse.stream(once: source.open())
            response.fields[.cacheControl] = "max-age=60"
            return response
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.cache = .memory(limit: 1 << 20)
        }
        var stages = loader(api).stages(of: "https://a.example.com/p").makeAsyncIterator()
        try await source.waitForOpening()
        source.send(beginning)
        #expect(text(try await stages.next())?.hasPrefix("preview ") == true)
        source.send(Data(count: 10))
        source.end()
        #expect(text(try await stages.next()) == "whole \(beginning.count + 10)")
        let next = loader(api)
        #expect(try await texts(next.stages(of: "https://a.example.com/p")) == ["whole \(beginning.count + 10)"])
        #expect(mock.requestCount == 1)
    }

    private func texts(_ stages: ImageStages<String>) async throws -> [String] {
        var texts: [String] = []
        for try await stage in stages { texts += [text(stage) ?? ""] }
        return texts
    }
}

/// A body that arrives as the test sends it.
final class ChunkFeed: Sendable {
    private struct State {
        var openings = 0
        var waitedOpenings = 0
        var continuation: AsyncStream<Data>.Continuation?
        var sent = 0
        var taken = 0
    }

    private let state = Watched(State())

    /// Opens a body.
    func open() -> AsyncMapSequence<AsyncStream<Data>, Data> {
        let (stream, continuation) = AsyncStream<Data>.makeStream()
        state.update { state in
            state.openings += 1
            (state.continuation, state.sent, state.taken) = (continuation, 0, 0)
        }
        return stream.map { [self] chunk in
            state.update { $0.taken += 1 }
            return chunk
        }
    }

    func send(_ data: Data) {
        state.update { $0.sent += 1 }
        state.value.continuation?.yield(data)
    }

    /// Sends bytes until the operation returns.
    func whileSending<Value>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Value
    ) async rethrows -> Value {
        let sending = Task { [self] in
            while !Task.isCancelled {
                send(Data(count: 1))
                await Task.yield()
            }
        }
        defer { sending.cancel() }
        return try await operation()
    }

    func end() {
        state.value.continuation?.finish()
    }

    /// Waits for the next opening.
    func waitForOpening() async throws {
        try await state.wait { $0.openings > $0.waitedOpenings }
        state.update { $0.waitedOpenings += 1 }
    }

    /// Waits until the client has read all that was sent.
    func waitUntilTaken() async throws {
        try await state.wait { $0.taken == $0.sent }
    }
}
