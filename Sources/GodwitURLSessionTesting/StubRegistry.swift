import GodwitCore
import GodwitURLSession
import Synchronization

/// The transports of stubs, by class.
///
/// URLSession creates protocols itself and only knows their class. So each stub has its own class, which is never
/// reused.
final class StubRegistry: Sendable {
    static let shared = StubRegistry()

    private struct State: Sendable {
        var count = 0
        var transports: [ObjectIdentifier: any HTTPTransport] = [:]
    }

    private let state = Mutex(State())

    /// Stores a transport under a new class.
    func add(_ transport: any HTTPTransport) -> StubURLProtocol.Type {
        state.withLock { state in
            state.count += 1
            let type = NumberedStub<Never>.numbered(state.count)
            state.transports[ObjectIdentifier(type)] = transport
            return type
        }
    }

    func remove(_ type: StubURLProtocol.Type) {
        // Released outside the lock: its deinit may release other stubs.
        _ = state.withLock { $0.transports.removeValue(forKey: ObjectIdentifier(type)) }
    }

    func transport(of type: StubURLProtocol.Type) -> (any HTTPTransport)? {
        state.withLock { $0.transports[ObjectIdentifier(type)] }
    }
}

/// A distinct class for each number, created on demand.
final class NumberedStub<Digits>: StubURLProtocol {
    /// The class for a number from 1. The binary digits below the highest are nested types, the lowest outermost.
    static func numbered(_ number: Int) -> StubURLProtocol.Type {
        if number <= 1 { return NumberedStub<Digits>.self }
        let rest = number / 2
        return number % 2 == 0 ? NumberedStub<Zero<Digits>>.numbered(rest) : NumberedStub<One<Digits>>.numbered(rest)
    }
}

/// Numbers with one more binary digit.
private enum Zero<Digits> {}
private enum One<Digits> {}
