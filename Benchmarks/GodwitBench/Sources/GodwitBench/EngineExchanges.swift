import BenchKit
import Godwit

/// Exchanges of a transport without a client.
enum EngineExchanges {
    static func get(_ transport: any HTTPTransport, _ url: HTTPURL) -> Exchange {
        let request = HTTPRequest(url: url)
        return {
            let response = try await transport.send(request)
            try expect(.ok, response)
            return try await response.body.collect(upTo: 64 << 20).count
        }
    }

    static func discard(_ transport: any HTTPTransport, _ url: HTTPURL) -> Exchange {
        let request = HTTPRequest(url: url, delivery: .streamed)
        return {
            let response = try await transport.send(request)
            try expect(.ok, response)
            var count = 0
            for try await chunk in response.body { count += chunk.count }
            return count
        }
    }

    static func download(_ transport: any HTTPTransport, _ url: HTTPURL, to file: URL) -> Exchange {
        let request = HTTPRequest(url: url, delivery: .file(file))
        return {
            let response = try await transport.send(request)
            try expect(.ok, response)
            return Int(response.body.length ?? 0)
        }
    }

    static func upload(_ transport: any HTTPTransport, _ url: HTTPURL, from file: URL) -> Exchange {
        let request = HTTPRequest(method: .put, url: url, body: .file(at: file))
        return {
            try expect(.noContent, try await transport.send(request))
            return Int(request.body?.length ?? 0)
        }
    }

    static func expect(_ status: HTTPStatus, _ response: HTTPResponse) throws {
        if response.head.status != status { throw UnexpectedStatus(status: response.head.status) }
    }
}

/// The server did not behave as the benchmark requires.
struct UnexpectedStatus: Error {
    var status: HTTPStatus
}
