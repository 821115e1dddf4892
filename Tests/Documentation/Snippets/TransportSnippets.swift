import Godwit

#if os(Linux)
enum TransportSnippets {
    static func configuring() async throws {
        // snippet: curl-transport
        let transport = try SocketTransport {
            $0.maximumConnectionsPerHost = 8
            $0.proxy = .url("http://proxy.example.com:3128", except: ["localhost"])
            $0.additionalAuthorities = URL(filePath: "/etc/company/ca.pem")
        }
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: transport)
        // end
        // snippet: shutdown
        await api.shutdown(.finishing)
        // end
    }

    static func connections() async throws {
        // snippet: connection-policy
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.connections.maximumPerHost = 16
            $0.connections.idleTimeout = .seconds(20)
            $0.connections.maximumLifetime = .seconds(600)
        }
        try await api.warmUp(connections: 2)
        // end
    }

    static func unixSocket() throws -> APIClient {
        // snippet: unix-socket
        let transport = try SocketTransport { $0.unixSocketPath = "/run/docker.sock" }
        let docker = APIClient(baseURL: "http://localhost/v1.44", transport: transport)
        // end
        return docker
    }

    static func onTheLoop(_ transport: SocketTransport, _ api: APIClient) async throws {
        // snippet: task-executor
        try await withTaskExecutorPreference(transport.taskExecutor) {
            for id in 1...1000 { _ = try await api.send(.article(id: id)) }
        }
        // end
    }
}
#endif

// snippet: own-transport
struct Offline: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        throw NetworkError(.offline(.noPath), phase: .connecting, request: request)
    }
}
// end
