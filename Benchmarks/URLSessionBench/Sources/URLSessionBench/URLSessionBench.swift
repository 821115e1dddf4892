import BenchKit
import Foundation
import FoundationNetworking

/// Measures the toolchain's URLSession. Without `@MainActor`: an await that leaves the main actor and comes back would
/// be measured too.
@main
struct URLSessionBench {
    static let usage = """
        Usage: urlsession-bench MODE URL COUNT INFLIGHT

        MODE is get (a task group of INFLIGHT; with 1, one after the other), json (an array of articles, decoded) or
        discard (each byte dropped as it arrives). HTTP/2 is chosen by the server; only the system's authorities count.
        """

    static func main() async {
        guard let options = BenchOptions(CommandLine.arguments.dropFirst()), let url = URL(string: options.url) else {
            Program.fail(usage, status: 2)
        }
        let exchange = exchange(options.mode, url: url, inFlight: options.inFlight)
        if options.mode != "discard" {
            _ = await repeating(exchange, count: options.warmUpCount, inFlight: options.inFlight)
        }
        let start = Measurement()
        let totals = await repeating(exchange, count: options.count, inFlight: options.inFlight)
        start.report("urlsession", totals)
    }

    static func exchange(_ mode: String, url: URL, inFlight: Int) -> Exchange {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = inFlight
        let session = URLSession(configuration: configuration)
        switch mode {
        case "get": return { try await get(url, from: session).count }
        case "json": return { try await decodeArticles(at: url, from: session) }
        case "discard": return { try await Discarding.get(url, configuration) }
        default: Program.fail(usage, status: 2)
        }
    }

    static func get(_ url: URL, from session: URLSession) async throws -> Data {
        let (data, response) = try await session.data(from: url)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return data
    }

    static func decodeArticles(at url: URL, from session: URLSession) async throws -> Int {
        let data = try await get(url, from: session)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard try decoder.decode([Article].self, from: data).count > 0 else { throw URLError(.cannotParseResponse) }
        return data.count
    }
}
