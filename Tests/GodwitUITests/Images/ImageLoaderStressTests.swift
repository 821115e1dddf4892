import GodwitCore
import GodwitTesting
import GodwitUI
import TestSupport
import Testing

@Suite("V4 an image loader under random use", .timeLimit(.minutes(15)))
struct ImageLoaderStressTests {
    @Test("V4 10,000 random loads, cancellations, prefetches and stops leave nothing behind and every image right")
    func random() async throws {
        let mock = MockTransport { request in
            if request.path.hasSuffix("7") { return .status(404) }
            await Task.yield()
            return .bytes(Data(request.path.utf8))
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) { $0.retry.maximumAttempts = 1 }
        let images = ImageLoader<String>(api, options: ImageOptions { $0.memoryLimit = 500 }) { data, _ in
            DecodedImage(String(decoding: data, as: UTF8.self), byteCount: 100)
        }
        await withTaskGroup { group in
            for worker in 0..<10 {
                group.addTask { await Self.use(images, SplitMix(seed: UInt64(worker))) }
            }
        }
        // Tasks of released prefetches notice their cancellation a moment later. What stays exceeds the time limit.
        while images.waitingCount + images.waitingDecodes > 0 { await Task.yield() }
        #expect(images.memoryByteCount <= 500)
        await images.prefetch(["https://a.example.com/last"]).wait()
        #expect(images.imageInMemory(at: "https://a.example.com/last") == "/last")
        try await mock.waitUntilExchangesEnd()
    }

    private static func use(_ images: ImageLoader<String>, _ random: SplitMix) async {
        var random = random
        var prefetches: [ImagePrefetch] = []
        for _ in 0..<1000 {
            let path = "/\(Int.random(in: 0..<40, using: &random))"
            let url = "https://a.example.com\(path)"
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let task = Task { try await images.image(at: url) }
                if Bool.random(using: &random) { await Task.yield() }
                task.cancel()
                if let picture = try? await task.value { #expect(picture == path) }
            case 1: prefetches.append(images.prefetch([url, "\(url)1", "\(url)2"]))
            case 2: if !prefetches.isEmpty { prefetches.removeFirst() }
            default:
                let picture = try? await images.image(at: url)
                #expect(picture == (path.hasSuffix("7") ? nil : path))
            }
        }
    }
}
