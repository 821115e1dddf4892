import Godwit
import Synchronization

/// Fails calls while the simulated network is down.
nonisolated final class SimulatedOutage: Middleware {
    let path = PathFeed(NetworkPath(status: .satisfied))
    private let condition = Mutex(SimulatedNetwork.Condition.online)

    func change(to condition: SimulatedNetwork.Condition) {
        self.condition.withLock { $0 = condition }
        path.update(NetworkPath(status: condition == .offline ? .unsatisfied : .satisfied))
    }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        switch condition.withLock(\.self) {
        case .online: return try await next(call)
        case .offline: throw NetworkError(.offline(.noPath), phase: .connecting, request: call.request)
        case .failing: return HTTPResponse(head: HTTPResponseHead(status: .serviceUnavailable), request: call.request)
        }
    }
}
