import BenchKit
import Godwit

/// How a bench gets its engine and its client: all that must change here when the library's entry points do.
enum Workloads {
    /// The bare engine: HTTP/2 by ALPN or HTTP/1.1 only, as many connections as requests in flight, and the
    /// authorities of the command line.
    static func transport(_ options: BenchOptions) throws -> any HTTPTransport {
        try CurlTransport { configuration in
            configuration.protocols = options.usesHTTP2 ? .http2WhereSecure : .http1
            configuration.additionalAuthorities = options.authoritiesFile.map { URL(filePath: $0) }
        }
    }

    /// The engine's event loop, for tasks that want to run on it.
    static func eventLoop(of transport: any HTTPTransport) throws -> any TaskExecutor {
        guard let transport = transport as? CurlTransport else { throw Unsupported("another engine") }
        return transport.taskExecutor
    }

    /// One GET by the whole default client over the engine, JSON set aside: the endpoint's response is `Data`.
    static func clientGet(_ options: BenchOptions, _ transport: any HTTPTransport) throws -> Exchange {
        let url = try HTTPURL(options.url)
        let api = APIClient(baseURL: url.origin.description, transport: transport)
        let endpoint = Endpoint<Data>.get(EndpointPath(template: url.path))
        return { try await api.send(endpoint).count }
    }

    /// One GET by the default client, decoded as `[Article]`; returns the number of body bytes.
    static func clientJSON(_ options: BenchOptions, _ transport: any HTTPTransport) throws -> Exchange {
        let url = try HTTPURL(options.url)
        let api = APIClient(baseURL: url.origin.description, transport: transport)
        let endpoint = Endpoint<[Article]>.get(EndpointPath(template: url.path))
        return {
            let response = try await api.response(for: endpoint)
            return Int(response.metrics.bytesReceived)
        }
    }
}

/// What this build of the library cannot do, or cannot do yet.
struct Unsupported: Error, CustomStringConvertible {
    let description: String

    init(_ feature: String) {
        description = "unsupported: \(feature)"
    }
}
