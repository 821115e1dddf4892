import Godwit
import Synchronization

nonisolated extension Tour {
    static let streamSteps = [
        TourStep(name: "export") { api in
            let start = ContinuousClock.now
            var (count, first) = (0, Duration.zero)
            for try await article in api.stream(.export).jsonLines(of: Article.self) {
                count += 1
                if count == 1 { first = ContinuousClock.now - start }
                try expect(!article.title.isEmpty, "an article without a title: \(article)")
            }
            let total = try await api.send(.articles()).total
            try expect(count >= total, "expected \(total) articles or more, got \(count)")
            return "\(count) articles as NDJSON, each read as it came; the first after \(first.short)"
        },
        TourStep(name: "export, left") { api in
            var titles: [String] = []
            for try await article in api.stream(.export).jsonLines(of: Article.self) {
                titles.append(article.title)
                if titles.count == 3 { break }
            }
            return "left the loop after \(titles.count) articles, which ended the transfer"
        },
        TourStep(name: "upload") { api in
            let (size, chunk) = (4 << 20, Data(repeating: 0x67, count: 64 << 10))
            let body = HTTPBody.stream(length: Int64(size)) { Repeated(chunk, count: size / chunk.count) }
            let progress = Progress()
            let receipt = try await api.send(.upload(body).onEvent(progress.note))
            try expect(receipt.bytes == size, "the server counted \(receipt.bytes) bytes")
            let reports = progress.reports
            try expect(reports.last == Int64(size), "the last report was \(reports.last as Any)")
            try expect(reports == reports.sorted(), "progress went back: \(reports)")
            return "\(size >> 20) MiB from a stream, \(reports.count) reports of progress up to 100 %"
        },
        TourStep(name: "avatar") { api in
            let picture = Data(repeating: 0x89, count: 20_000)
            let receipt = try await api.send(.avatar(user: 3, picture, caption: "Me, \"in flight\""))
            try expect(receipt.bytes == picture.count, "the server counted \(receipt.bytes) bytes")
            return "a form with a caption and a picture of \(receipt.bytes) bytes"
        },
    ]

    /// Collects the events of an upload.
    private final class Progress: Sendable {
        private let sent = Mutex<[Int64]>([])

        var reports: [Int64] { sent.withLock { $0 } }

        @Sendable func note(_ event: TransferEvent) {
            if case .sent(let count, _) = event { sent.withLock { $0.append(count) } }
        }
    }

    /// A chunk repeated a number of times, made on demand.
    private struct Repeated: AsyncSequence, AsyncIteratorProtocol {
        let chunk: Data
        var left: Int

        init(_ chunk: Data, count: Int) {
            self.chunk = chunk
            left = count
        }

        func makeAsyncIterator() -> Repeated { self }

        mutating func next() async -> Data? {
            guard left > 0 else { return nil }
            left -= 1
            return chunk
        }
    }
}
