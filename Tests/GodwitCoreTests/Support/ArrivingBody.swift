import GodwitCore
import Synchronization

/// A response body that arrives chunk by chunk, as a test sends it, and tells when its reader has left.
final class ArrivingBody: Sendable {
    private let channel: BodyChannel
    private let left = LockedFlag()
    private let body: Mutex<HTTPBody?>

    init(capacity: Int = 1 << 20) {
        let left = left
        channel = BodyChannel(capacity: capacity, onDemand: {}, onCancel: { left.raise() })
        body = Mutex(HTTPBody(.incoming(IncomingBody(channel, length: nil))))
    }

    /// Whether the reader left before the end.
    var isAbandoned: Bool { left.isRaised }

    /// Gives the body out once, and keeps no hold on it; empty the next time.
    func take() -> HTTPBody {
        body.withLock { $0.take() } ?? .empty
    }

    @discardableResult
    func send(_ text: String) -> BodyChannel.Demand {
        channel.send(Data(text.utf8))
    }

    func finish(_ error: NetworkError? = nil) {
        channel.finish(error)
    }
}

final class LockedFlag: Sendable {
    private let state = Mutex(false)

    var isRaised: Bool { state.withLock { $0 } }

    func raise() {
        state.withLock { $0 = true }
    }
}
