import BenchKit
import Godwit

/// Server-sent events with the complete default client, and with the parser only.
enum Events {
    /// Reads a number of events in the caller's loop.
    static func measure(_ options: BenchOptions) async throws {
        let transport = try Workloads.transport(options)
        let url = try HTTPURL(options.url)
        let api = APIClient(baseURL: url.origin.description, transport: transport)
        let events = api.events(Endpoint<Void>.get(EndpointPath(template: url.path)))
        let start = Measurement()
        var totals = Totals()
        for try await event in events {
            totals.add(.success(event.data.utf8.count))
            if totals.requests == options.count { break }
        }
        start.report(options.mode, totals)
        await transport.shutdown(.cancelling)
    }

    /// Parses a number of megabytes from memory, in chunks like those of an engine.
    static func measureParser(_ options: BenchOptions) throws {
        let event = options.mode == "event-parser-long" ? long : tiny
        let chunks = chunks(of: event)
        let rounds = max(1, options.count * 1_000_000 / chunks.reduce(0) { $0 + $1.count })
        var totals = Totals()
        let start = Measurement()
        for _ in 0..<rounds {
            var parser = EventStreamParser()
            for chunk in chunks {
                parser.append(chunk)
                totals.bytes += chunk.count
                while let event = try parser.next() { totals.requests += event.data.isEmpty ? 0 : 1 }
            }
        }
        start.report(options.mode, totals)
    }

    private static let tiny = "id: 1234567\ndata: {\"n\":12}\n\n"
    private static let long = "data: \(String(repeating: "a tide is a long wave ", count: 3000))\n\n"

    private static func chunks(of event: String) -> [Data] {
        let size = 64 << 10
        let all = Data(String(repeating: event, count: (16 << 20) / event.utf8.count).utf8)
        return stride(from: 0, to: all.count, by: size).map { Data(all[$0..<min($0 + size, all.count)]) }
    }
}
