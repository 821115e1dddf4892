import BenchKit
import Godwit

/// Measures Godwit. Without `@MainActor`: an await that leaves the main actor and comes back costs more than the
/// exchange itself.
@main
struct GodwitBench {
    static let usage = """
        Usage: godwit-bench MODE URL COUNT INFLIGHT [--http2 | --http3] [--cacert FILE] [--file FILE] [--redis URL]

        client, engine, engine-executor   COUNT buffered GETs, INFLIGHT at a time: by the whole default client, by the
                                          bare engine, by the engine with its event loop as the tasks' executor
        client-full                       the same by a client with everything on, each GET of another URL
        chain, chain-full                 the two clients over a transport that answers at once: what is their own
        chain-telemetry, chain-metrics, chain-inspector, chain-recorder, chain-fleet
                                          the default client with one feature, over that transport; chain-fleet limits
                                          calls by --redis
        growth-hosts, growth-cookies, growth-cache, growth-limits   calls over that transport, one after the other, beside
                                          INFLIGHT hosts, cookies, stored responses, learned limits
        client-telemetry                  the default client with telemetry; its collector answers at once
        sequential-client, sequential-engine, sequential-executor   the same, one after the other
        json, short-json                  an array of articles, or the kilobyte, by the client, decoded
        json-foundation, short-json-foundation   the same by a client with Foundation's coders
        download                          to --file        upload   from --file by PUT
        hit-memory, hit-disk              one request, then COUNT hits of the cache, one after the other; --file names the
                                          folder of the disk store
        discard                           a streamed GET, each chunk dropped
        streams                           COUNT streamed responses open at once, INFLIGHT being opened at a time
        events                            COUNT server-sent events of one stream, by the whole default client
        echo, echo-executor               COUNT messages of INFLIGHT bytes over one WebSocket, each once its echo has come
        sockets                           COUNT idle WebSockets, INFLIGHT being opened at a time
        event-parser-long, event-parser-tiny   COUNT megabytes from memory by the parser of events alone
        """

    static func main() async {
        guard let options = BenchOptions(CommandLine.arguments.dropFirst()) else {
            Program.fail(usage, status: 2)
        }
        do {
            switch options.mode {
            case "streams": try await measureStreams(options)
            case "echo", "echo-executor": try await Sockets.echo(options)
            case "sockets": try await Sockets.idle(options)
            case "events": try await Events.measure(options)
            case "event-parser-long", "event-parser-tiny": try Events.measureParser(options)
            default: try await measure(options)
            }
        } catch let error as Unsupported {
            Program.fail(error.description, status: 3)
        } catch {
            Program.fail("\(error)")
        }
    }

    static func measure(_ options: BenchOptions) async throws {
        let transport = try Workloads.transport(options)
        let exchange = try await exchange(options, transport)
        let isSequential =
            ["sequential-", "hit-", "growth-"].contains(where: options.mode.hasPrefix) || isLarge(options.mode)
        let inFlight = isSequential ? 1 : options.inFlight
        let run: @Sendable () async -> Void = {
            if !isLarge(options.mode) {
                _ = await repeating(exchange, count: options.warmUpCount, inFlight: inFlight)
            }
            let start = Measurement()
            let totals = await repeating(exchange, count: options.count, inFlight: inFlight)
            start.report(options.mode, totals)
        }
        if options.mode.hasSuffix("-executor") {
            let executor = try Workloads.eventLoop(of: transport)
            await withTaskExecutorPreference(executor) { await run() }
        } else {
            await run()
        }
        await transport.shutdown(.finishing)
    }

    static func measureStreams(_ options: BenchOptions) async throws {
        let transport = try Workloads.transport(options)
        var streams = try OpenStreams(transport, options)
        await streams.measure(options.count)
        await transport.shutdown(.cancelling)
    }

    /// One request of a gigabyte is enough, without a warm-up.
    static func isLarge(_ mode: String) -> Bool {
        ["download", "upload", "discard"].contains(mode)
    }

    static func exchange(_ options: BenchOptions, _ transport: any HTTPTransport) async throws -> Exchange {
        switch options.mode {
        case "client", "sequential-client": return try Workloads.clientGet(options, transport)
        case "chain": return try Workloads.clientGet(options, AnsweringTransport())
        case "chain-full": return try Workloads.fullClientGet(options, AnsweringTransport())
        case "client-telemetry": return try await ObservedClients.get(.telemetry, options, transport)
        case "chain-telemetry", "chain-metrics", "chain-inspector", "chain-recorder", "chain-fleet":
            guard let feature = ObservedClients.Feature(rawValue: String(options.mode.dropFirst(6))) else {
                Program.fail(usage, status: 2)
            }
            return try await ObservedClients.get(feature, options, AnsweringTransport())
        case "growth-hosts", "growth-cookies", "growth-cache", "growth-limits":
            guard let subject = Growth.Subject(rawValue: String(options.mode.dropFirst(7))) else {
                Program.fail(usage, status: 2)
            }
            return try await Growth.get(subject, options)
        case "client-full": return try Workloads.fullClientGet(options, transport)
        case "json", "json-foundation": return try Workloads.clientJSON(options, transport, [Article].self)
        case "short-json", "short-json-foundation":
            return try Workloads.clientJSON(options, transport, ShortArticle.self)
        case "engine", "engine-executor", "sequential-engine", "sequential-executor":
            return EngineExchanges.get(transport, try HTTPURL(options.url))
        case "hit-memory": return try CacheExchanges.hit(transport, try HTTPURL(options.url), in: nil)
        case "hit-disk": return try CacheExchanges.hit(transport, try HTTPURL(options.url), in: try file(options))
        case "discard": return EngineExchanges.discard(transport, try HTTPURL(options.url))
        case "download": return EngineExchanges.download(transport, try HTTPURL(options.url), to: try file(options))
        case "upload": return EngineExchanges.upload(transport, try HTTPURL(options.url), from: try file(options))
        default: Program.fail(usage, status: 2)
        }
    }

    static func file(_ options: BenchOptions) throws -> URL {
        guard let path = options.file else { Program.fail("\(options.mode) needs --file", status: 2) }
        return URL(filePath: path)
    }
}
