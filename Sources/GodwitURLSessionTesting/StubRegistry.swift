import GodwitCore
import GodwitURLSession
import Synchronization

/// Which transport answers which stub's sessions.
///
/// URLSession makes its protocols itself, and knows but their class: so each stub has a class of its own, which is never
/// given to another.
final class StubRegistry: Sendable {
    static let shared = StubRegistry()

    private struct State: Sendable {
        var count = 0
        var transports: [ObjectIdentifier: any HTTPTransport] = [:]
    }

    private let state = Mutex(State())

    /// Keeps a transport, and makes the class that leads to it.
    func add(_ transport: any HTTPTransport) -> StubURLProtocol.Type {
        state.withLock { state in
            state.count += 1
            let type = NumberedStub<Never>.numbered(state.count)
            state.transports[ObjectIdentifier(type)] = transport
            return type
        }
    }

    func remove(_ type: StubURLProtocol.Type) {
        // Let go of outside the lock: it may end what holds other stubs.
        _ = state.withLock { $0.transports.removeValue(forKey: ObjectIdentifier(type)) }
    }

    func transport(of type: StubURLProtocol.Type) -> (any HTTPTransport)? {
        state.withLock { $0.transports[ObjectIdentifier(type)] }
    }
}
