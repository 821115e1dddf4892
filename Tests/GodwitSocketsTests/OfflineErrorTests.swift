import GodwitCore
import GodwitSockets
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("O1 which failures are offline", .timeLimit(.minutes(15)))
struct OfflineErrorTests {
    private func error(
        _ url: String, _ path: NetworkPath, configure: (inout SocketConfiguration) -> Void = { _ in }
    ) async throws -> NetworkError? {
        let feed = PathFeed(path)
        let transport = try SocketTransport {
            $0.pathMonitor = { feed }
            $0.proxy = .none
            configure(&$0)
        }
        var request = HTTPRequest(url: try HTTPURL(url))
        request.options.timeouts.connect = .seconds(20)
        return await failure { () throws(NetworkError) in try await transport.send(request) }
    }

    private let connected = NetworkPath(status: .satisfied, interfaces: [.wired])

    @Test("O1 a name that can't be resolved is offline if there is no network, and keeps its cause")
    func name() async throws {
        let offline = try #require(try await error("http://nowhere.invalid/", .unsatisfied))
        #expect(offline.kind == .offline(.noPath))
        #expect(offline.phase == .connecting)
        let cause = try #require(offline.underlying as? NetworkError)
        #expect(cause.kind == .transport(.cannotResolveHost("nowhere.invalid")))
        let resolved = try await error("http://nowhere.invalid/", connected)
        #expect(resolved?.kind == .transport(.cannotResolveHost("nowhere.invalid")))
    }

    @Test("O1 what this machine refuses is not offline: loopback, a name that stands for it, a Unix socket")
    func local() async throws {
        let port = try Listener.closedPort().port
        let loopback = try await error("http://127.0.0.1:\(port)/", .unsatisfied)
        #expect(loopback?.shortDescription == "transport.cannot_connect")
        let named = try await error("http://near.example:\(port)/", .unsatisfied) {
            $0.addressOverrides = ["near.example:\(port)": ["127.0.0.1"]]
        }
        #expect(named?.shortDescription == "transport.cannot_connect")
        let socket = try await error("http://near.example/", .unsatisfied) { $0.unixSocketPath = "/nowhere/socket" }
        #expect(socket?.shortDescription == "transport.cannot_connect")
    }

    @Test("O1 a proxy's name that can't be resolved is offline too")
    func proxy() async throws {
        let offline = try await error("http://api.example/", .unsatisfied) {
            $0.proxy = .url("http://proxy.invalid:3128")
        }
        #expect(offline?.kind == .offline(.noPath))
    }
}
