import Godwit
import GodwitTesting

/// Slow and large transfers: the export, uploads, and a slow response.
nonisolated struct TransferRoutes {
    let store: ContentStore
    let kept: KeptResponses
    let options: ContentAPIServer.Options

    /// The result of an upload.
    private struct Receipt: Encodable {
        let bytes: Int64
        let contentType: String?
    }

    func add(to route: MockRoutes) {
        let (store, interval) = (store, options.exportInterval)
        route.get("/v1/export").answer { _ throws(Problem) in
            let lines = try Self.lines(await store.articles(tag: nil))
            return .chunks(lines, every: interval, contentType: "application/x-ndjson")
        }
        route.post("/v1/uploads").answer(once: kept) { request throws(Problem) in
            .coded(
                Receipt(bytes: request.bodyByteCount, contentType: request.fields[.contentType]), status: .created)
        }
        // Uploads that resume, at 4 MiB/s, so that they can be paused. Only their bytes are counted.
        let films = MockUploads {
            $0.bytesPerSecond = 4 << 20
            $0.keepsData = false
        }
        route.resumableUploads("/v1/films", into: films)
        // The guide comes at 2 MiB/s, so that a download can be paused.
        route.get("/v1/files/guide").answer { request throws(Problem) in
            .ranged(Self.guide, for: request, etag: "\"guide-1\"").throttled(bytesPerSecond: 2 << 20)
        }
        route.get("/v1/slow").answer { request throws(Problem) in
            let seconds = request.queryValue("seconds").flatMap(Int.init) ?? 30
            return .json(["seconds": "\(seconds)"]).delayed(by: .seconds(max(0, min(seconds, 3600))))
        }
    }

    /// A file of 2 MiB.
    private static let guide = Data((0..<2 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })

    /// The articles as NDJSON, one line per chunk.
    private static func lines(_ articles: [Article]) throws(Problem) -> [Data] {
        var lines: [Data] = []
        for article in articles {
            do throws(NetworkError) {
                lines.append(try JSONCoding.content.encode(article) + Data("\n".utf8))
            } catch {
                throw Problem(status: 500, title: "Export failed", detail: "\(error)")
            }
        }
        return lines
    }
}
