#if os(Linux)
import GodwitCore
import Synchronization

/// Gives the messages of other processes to the parts of a fleet that wait for them.
final class FleetNews: Sendable {
    enum Kind: String, Sendable {
        case permits, tokens, circuits, cookies
    }

    /// Ends with its object.
    final class Registration: Sendable {
        fileprivate let end: @Sendable () -> Void

        fileprivate init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { end() }
    }

    private struct Listener: Sendable {
        let kind: Kind
        let own: String
        let body: @Sendable (String?) -> Void
    }

    private let listeners = Mutex<[UInt64: Listener]>([:])
    private let lastID = Atomic<UInt64>(0)

    func add(_ kind: Kind, ignoring own: String, _ body: @escaping @Sendable (String?) -> Void) -> Registration {
        let id = lastID.add(1, ordering: .relaxed).newValue
        listeners.withLock { $0[id] = Listener(kind: kind, own: own, body: body) }
        return Registration { [weak self] in
            _ = self?.listeners.withLock { $0.removeValue(forKey: id) }
        }
    }

    /// A message: the sender, the kind, the rest. An empty one means that some may have been missed.
    func receive(_ message: [UInt8]) {
        let listeners = listeners.withLock { Array($0.values) }
        guard !message.isEmpty else { return listeners.forEach { $0.body(nil) } }
        let parts = String(decoding: message, as: UTF8.self)
            .split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let kind = Kind(rawValue: parts[1]) else { return }
        for listener in listeners where listener.kind == kind && listener.own != parts[0] { listener.body(parts[2]) }
    }
}
#endif
