import Synchronization

/// Takes the notes of a client's middlewares to the inspector's destination.
final class TrafficRecorder: Sendable {
    /// The call that the page sends again, in the task that sends it.
    @TaskLocal static var replayedCall: UInt64?

    private static let lastExchange = Atomic<UInt64>(0)

    private enum Output: Sendable {
        case reporter(TrafficReporter)
        case closure(@Sendable (TrafficEvent) -> Void)
    }

    let inspector: Inspector
    let text: TrafficText
    private let output: Output

    init(_ inspector: Inspector) {
        self.inspector = inspector
        text = TrafficText(inspector)
        output =
            switch inspector.destination {
            case .local: .reporter(.shared(for: nil))
            case .page(let url): .reporter(.shared(for: url))
            case .closure(let receive): .closure(receive)
            }
    }

    func nextExchange() -> UInt64 {
        Self.lastExchange.wrappingAdd(1, ordering: .relaxed).newValue
    }

    func add(_ call: UInt64, _ content: TrafficNote.Content) {
        let note = TrafficNote(call, content)
        switch output {
        case .reporter(let reporter): reporter.add(note, from: self)
        case .closure(let receive):
            if let event = text.event(note) { receive(event) }
        }
    }
}
