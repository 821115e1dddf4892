import BenchKit
import Foundation
import FoundationNetworking

/// Measures the toolchain's URLSession. Without `@MainActor`: an await that leaves the main actor and comes back would
/// be measured too.
@main
struct URLSessionBench {
    static let usage = """
        Usage: urlsession-bench MODE URL COUNT INFLIGHT [--file FILE]

        MODE is get (a task group of INFLIGHT; with 1, one after the other), json (an array of articles, decoded),
        discard (each byte dropped as it arrives), download (to --file) or upload (from --file, by PUT).
        HTTP/2 is chosen by the server; only the system's authorities count.
        """

    static func main() async {
        guard let options = BenchOptions(CommandLine.arguments.dropFirst()), let url = URL(string: options.url) else {
            Program.fail(usage, status: 2)
        }
        let exchange = exchange(options, url: url)
        if ["get", "json"].contains(options.mode) {
            _ = await repeating(exchange, count: options.warmUpCount, inFlight: options.inFlight)
        }
        let start = Measurement()
        let totals = await repeating(exchange, count: options.count, inFlight: options.inFlight)
        start.report("urlsession", totals)
    }

    static func exchange(_ options: BenchOptions, url: URL) -> Exchange {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = options.inFlight
        let session = URLSession(configuration: configuration)
        let file = URL(fileURLWithPath: options.file ?? "/dev/null")
        switch options.mode {
        case "get": return { try await get(url, from: session).count }
        case "json": return { try await decodeArticles(at: url, from: session) }
        case "discard": return { try await Discarding.get(url, configuration) }
        case "download": return { try await download(url, to: file, from: session) }
        case "upload": return { try await upload(file, to: url, by: session) }
        default: Program.fail(usage, status: 2)
        }
    }

    static func get(_ url: URL, from session: URLSession) async throws -> Data {
        let (data, response) = try await session.data(from: url)
        try expect(200, response)
        return data
    }

    static func download(_ url: URL, to file: URL, from session: URLSession) async throws -> Int {
        let (temporary, response) = try await session.download(from: url)
        try expect(200, response)
        try FileManager.default.moveItem(at: temporary, to: file)
        return try size(of: file)
    }

    static func upload(_ file: URL, to url: URL, by session: URLSession) async throws -> Int {
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        let (_, response) = try await session.upload(for: request, fromFile: file)
        try expect(204, response)
        return try size(of: file)
    }

    static func size(of file: URL) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    }

    static func expect(_ status: Int, _ response: URLResponse) throws {
        guard (response as? HTTPURLResponse)?.statusCode == status else { throw URLError(.badServerResponse) }
    }

    static func decodeArticles(at url: URL, from session: URLSession) async throws -> Int {
        let data = try await get(url, from: session)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard try decoder.decode([Article].self, from: data).count > 0 else { throw URLError(.cannotParseResponse) }
        return data.count
    }
}
