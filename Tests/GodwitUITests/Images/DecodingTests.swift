import Dispatch
import Foundation
import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("V4 decoding of images", .timeLimit(.minutes(15)))
struct DecodingTests {
    private let decoder = SlowDecoder()

    private func loader(_ mock: MockTransport, _ configure: (inout ImageOptions) -> Void = { _ in }) -> ImageLoader<
        String
    > {
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.retry.maximumAttempts = 1 }
        return ImageLoader(api, options: ImageOptions(configure), decode: decoder.decode)
    }

    private let mock = MockTransport { .bytes(Data($0.path.utf8)) }

    @Test("V4 images are decoded off the main thread, at most two at once by default, or as many as the option says")
    func limit() async throws {
        for limit in [2, 3] {
            let images = loader(mock) { if limit != 2 { $0.concurrentDecodes = limit } }
            let tasks = (0..<20).map { number in
                Task { try await images.image(at: "https://a.example.com/\(limit)/\(number)") }
            }
            try await decoder.waitForBeginnings(limit)
            for _ in 0..<200 { await Task.yield() }
            #expect(decoder.running == limit)
            for count in 1...20 {
                decoder.finishOne()
                if count + limit <= 20 { try await decoder.waitForBeginnings(limit + count) }
            }
            for task in tasks { _ = try await task.value }
            #expect(decoder.mostAtOnce == limit)
            #expect(!decoder.ranOnMainThread)
            decoder.reset()
        }
    }

    @Test("V4 visible images are decoded before prefetched ones, and a prefetched image that becomes visible is raised")
    func priority() async throws {
        let images = loader(mock) {
            $0.concurrentDecodes = 1
            $0.concurrentPrefetches = 10
        }
        let names = ["p0", "p1", "p2", "p3"].map { "https://a.example.com/\($0)" }
        let prefetch = images.prefetch(names)
        try await decoder.waitForBeginnings(1)
        try await decoder.waits { images.waitingDecodes == 3 }
        let visible = Task { try await images.image(at: "https://a.example.com/v") }
        try await decoder.waits { images.waitingDecodes == 4 }
        let last = try #require(names.last { !$0.hasSuffix(decoder.order[0]) })
        let raised = Task { try await images.image(at: last) }
        try await decoder.waits { images.waitingCount == 6 }
        for count in 1...5 {
            decoder.finishOne()
            if count < 5 { try await decoder.waitForBeginnings(count + 1) }
        }
        _ = try await (visible.value, raised.value)
        await prefetch.wait()
        let order = decoder.order
        #expect(order[1] == "/v" && last.hasSuffix(order[2]))
        #expect(Set(order) == ["/p0", "/p1", "/p2", "/p3", "/v"])
    }

    @Test("V4 a preview leaves a place for the next image")
    func previewsLeaveAPlace() async throws {
        let source = ChunkFeed()
        let mock = MockTransport { $0.path == "/p" ? .stream(once: source.open()) : .bytes(Data($0.path.utf8)) }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        let images = ImageLoader<String>(
            api, options: ImageOptions(), decode: decoder.decode,
            preview: { [decode = decoder.decode] in try decode(Data("preview".utf8), $1) })
        let first = Task { try await images.image(at: "https://a.example.com/1") }
        try await decoder.waitForBeginnings(1)
        let stages = Task {
            for try await _ in images.stages(of: "https://a.example.com/p") {}
        }
        try await source.waitForOpening()
        source.send(SampleImage.jpeg(width: 30, height: 20, progressive: true))
        try await decoder.waits { images.waitingDecodes == 1 }
        let second = Task { try await images.image(at: "https://a.example.com/2") }
        try await decoder.waitForBeginnings(2)
        #expect(decoder.order == ["/1", "/2"])
        decoder.finishOne()
        decoder.finishOne()
        _ = try await (first.value, second.value)
        try await decoder.waitForBeginnings(3)
        #expect(decoder.order.last == "preview")
        decoder.finishOne()
        decoder.finishOne()
        source.end()
        try await stages.value
    }

    @Test("V4 an image whose task is canceled while it waits for a decode is never decoded")
    func canceledWhileWaiting() async throws {
        let images = loader(mock) { $0.concurrentDecodes = 1 }
        let first = Task { try await images.image(at: "https://a.example.com/1") }
        try await decoder.waitForBeginnings(1)
        let second = Task { try await images.image(at: "https://a.example.com/2") }
        try await decoder.waits { images.waitingDecodes == 1 }
        second.cancel()
        let error = await #expect(throws: NetworkError.self) { try await second.value }
        #expect(error?.kind == .cancelled)
        try await decoder.waits { images.waitingDecodes == 0 }
        decoder.finishOne()
        #expect(try await first.value == "/1")
        #expect(decoder.order == ["/1"])
    }

    @Test("V4 a file that claims too many pixels is refused before it is decoded, with the size and the limit")
    func dimensionBomb() async throws {
        let bombs = [
            SampleImage.png(width: 60_000, height: 60_000), SampleImage.png(width: .max >> 32, height: .max >> 32),
            SampleImage.jpeg(width: 65_500, height: 65_500), SampleImage.gif(width: 65_000, height: 60_000, frames: 1),
        ]
        for bomb in bombs {
            let images = loader(MockTransport { _ in .bytes(bomb) })
            let error = await #expect(throws: NetworkError.self) {
                try await images.image(at: "https://a.example.com/bomb", fitting: PixelSize(width: 10, height: 10))
            }
            let cause = try #require(error?.underlying as? ImageTooLarge)
            #expect(cause.limit == 100_000_000 && cause.width >= 60_000)
            #expect(error?.description.contains("over the limit of 100000000") == true)
        }
        let strict = loader(MockTransport { _ in .bytes(SampleImage.png(width: 10, height: 11)) }) {
            $0.pixelLimit = 100
        }
        let error = await #expect(throws: NetworkError.self) { try await strict.image(at: "https://a.example.com/a") }
        #expect(error?.underlying as? ImageTooLarge == ImageTooLarge(width: 10, height: 11, limit: 100))
        #expect(decoder.order.isEmpty)
    }

    @Test("V4 the file of an animation is kept unchanged next to its first frame, and counts as memory")
    func animation() async throws {
        let file = SampleImage.gif(width: 7, height: 5, frames: 2)
        let images = loader(
            MockTransport { $0.path == "/a" ? .bytes(file) : .bytes(SampleImage.png(width: 3, height: 3)) })
        decoder.finishOne()
        let image = try await images.decodedImage(
            at: "https://a.example.com/a", fitting: PixelSize(width: 2, height: 2))
        #expect(image.animation == file)
        #expect(images.memoryByteCount == 100 + file.count)
        decoder.finishOne()
        #expect(try await images.decodedImage(at: "https://a.example.com/still").animation == nil)
        #expect(images.memoryByteCount == 200 + file.count)
    }

    @Test("V4 trimming memory evicts the least recently used images first")
    func trim() async throws {
        let images = loader(mock)
        for name in ["a", "b", "c"] {
            decoder.finishOne()
            _ = try await images.image(at: "https://a.example.com/\(name)")
        }
        _ = images.imageInMemory(at: "https://a.example.com/a")
        images.trimMemory(to: 200)
        #expect(images.imageInMemory(at: "https://a.example.com/b") == nil)
        #expect(images.imageInMemory(at: "https://a.example.com/a") == "/a")
        images.trimMemory(to: -1)
        #expect(images.memoryByteCount == 0)
    }
}

/// A decoder whose calls block their thread until the test lets one finish.
final class SlowDecoder: Sendable {
    private struct State {
        var running = 0
        var mostAtOnce = 0
        var begun = 0
        var order: [String] = []
        var ranOnMainThread = false
    }

    private let state = Watched(State())
    private let permits = DispatchSemaphore(value: 0)

    var running: Int { state.value.running }
    var mostAtOnce: Int { state.value.mostAtOnce }
    var order: [String] { state.value.order }
    var ranOnMainThread: Bool { state.value.ranOnMainThread }

    /// Decodes text.
    var decode: ImageLoader<String>.Decode {
        { [self] data, _ in
            let text = String(decoding: data, as: UTF8.self)
            state.update { state in
                state.begun += 1
                state.running += 1
                state.mostAtOnce = max(state.mostAtOnce, state.running)
                state.order.append(text)
                state.ranOnMainThread = state.ranOnMainThread || Thread.isMainThread
            }
            permits.wait()
            state.update { $0.running -= 1 }
            return DecodedImage(text, byteCount: 100)
        }
    }

    func finishOne() { permits.signal() }

    func waitForBeginnings(_ count: Int) async throws {
        try await state.wait { $0.begun >= count }
    }

    func reset() { state.update { $0 = State() } }

    /// Returns once the condition holds.
    func waits(_ condition: () -> Bool) async throws {
        while !condition() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
