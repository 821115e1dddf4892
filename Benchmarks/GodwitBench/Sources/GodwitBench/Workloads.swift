import BenchKit
import Godwit
import GodwitHTTP3
import Synchronization

/// The engine and the client of a benchmark: the only code that depends on the library's entry points.
enum Workloads {
    /// The bare engine: HTTP/2 by ALPN, HTTP/3 only or HTTP/1.1 only, as many connections as requests in flight, and the
    /// authorities of the command line.
    static func transport(_ options: BenchOptions) throws -> any HTTPTransport {
        var configuration = SocketConfiguration()
        // Ten thousand streams are open at a time.
        configuration.maximumConnectionsPerHost = .max
        configuration.protocols = options.usesHTTP2 ? .http2WhereSecure : .http1
        configuration.additionalAuthorities = options.authoritiesFile.map { URL(filePath: $0) }
        let sockets = configuration
        guard options.usesHTTP3 else { return try SocketTransport { $0 = sockets } }
        return try HTTP3Transport {
            $0.mode = .only
            $0.sockets = sockets
        }
    }

    /// The engine's event loop, for tasks that run on it.
    static func eventLoop(of transport: any HTTPTransport) throws -> any TaskExecutor {
        switch transport {
        case let transport as SocketTransport: return transport.taskExecutor
        case let transport as HTTP3Transport: return transport.taskExecutor
        default: throw Unsupported("another engine")
        }
    }

    /// One GET by the whole default client over the engine, JSON set aside: the endpoint's response is `Data`.
    static func clientGet(
        _ options: BenchOptions, _ transport: any HTTPTransport,
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> Exchange {
        let url = try HTTPURL(options.url)
        var configuration = ClientConfiguration.default
        configure(&configuration)
        let api = APIClient(baseURL: url.origin.description, transport: transport, preset: configuration)
        let endpoint = Endpoint<Data>.get(EndpointPath(template: url.path))
        return { try await api.send(endpoint).count }
    }

    /// The same with everything on that a client can do, each GET of another URL: none is shared or answered from the
    /// cache, and each is stored.
    static func fullClientGet(_ options: BenchOptions, _ transport: any HTTPTransport) throws -> Exchange {
        let url = try HTTPURL(options.url)
        let api = APIClient(baseURL: url.origin.description, transport: transport) {
            $0.authentication = .credential(.bearer("token"))
            $0.cache = .memory(limit: 4 << 20)
            $0.coalescesRequests = true
            $0.concurrency.perHost = 64
            $0.rateLimit = .learned
            $0.circuitBreaker = CircuitBreaker.Options()
            $0.idempotencyKeys = [.post]
            $0.tracing = Tracing()
            $0.logging.level = .basic
            $0.logging.destination = { _ in }
        }
        let count = Atomic(0)
        return {
            let number = count.wrappingAdd(1, ordering: .relaxed).newValue
            return try await api.send(
                Endpoint<Data>.get(EndpointPath(template: url.path), query: ["n": number])
            ).count
        }
    }

    /// One GET by the default client, decoded; returns the number of body bytes.
    static func clientJSON<Response: Decodable & Sendable>(
        _ options: BenchOptions, _ transport: any HTTPTransport, _ type: Response.Type
    ) throws -> Exchange {
        let url = try HTTPURL(options.url)
        let api = APIClient(baseURL: url.origin.description, transport: transport) {
            if options.mode.hasSuffix("-foundation") { $0.json = foundationCoding() }
        }
        let endpoint = Endpoint<Response>.get(EndpointPath(template: url.path))
        return {
            let response = try await api.response(for: endpoint)
            return Int(response.metrics.bytesReceived)
        }
    }

    /// Foundation's coders, configured like the default.
    private static func foundationCoding() -> JSONCoding {
        let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
        decoder.dateDecodingStrategy = .iso8601
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return JSONCoding(decoder: decoder, encoder: encoder)
    }
}

/// What this build of the library does not support.
struct Unsupported: Error, CustomStringConvertible {
    let description: String

    init(_ feature: String) {
        description = "unsupported: \(feature)"
    }
}
