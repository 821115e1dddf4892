import GodwitCore
import GodwitUI

/// The states and events of the table in ``LoadMachineTests``, by name.
@MainActor
enum LoadMachineStates {
    typealias Event = LoadMachine.Event

    /// The events that lead to each state, after another one.
    static func states(_ shape: LoadMachine.Shape) -> [(name: String, after: String?, events: [Event])] {
        let own: [(String, String?, [Event])] =
            switch shape {
            case .value: [("read", "loaded", [.begin(.next, isBackground: false), .read(.init())])]
            case .pages:
                [
                    ("page", "loaded", [.begin(.next, isBackground: false)]),
                    ("page-changed", "page", [.mutationBegan(element)]),
                    ("page-moved", "page", [.mutationBegan(.whole)]),
                    ("page-waiting", "changing", [.begin(.next, isBackground: false)]),
                    ("page-arrived", "page", [.arrived(.init())]),
                ]
            }
        return common + own
    }

    private static let element = MutationHistory.Scope.element(7)

    private static let common: [(String, String?, [Event])] = [
        ("idle", nil, []),
        ("first", nil, [.begin(.next, isBackground: false)]),
        ("first-changing", nil, [.mutationBegan(.whole), .begin(.next, isBackground: false)]),
        ("first-changed", "first-changing", [.mutationEnded(.whole)]),
        ("loaded", "first", [.arrived(.init()), .kept(.init())]),
        ("invalidated", "loaded", [.invalidated]),
        ("changing", "loaded", [.mutationBegan(.whole)]),
        ("waiting", "changing", [.begin(.refetch, isBackground: true)]),
        ("reload", "loaded", [.begin(.refetch, isBackground: false)]),
        ("overlapped", "reload", [.mutationBegan(.whole)]),
        ("late", "reload", [.serverEvent]),
        (
            "too-late", "reload",
            Array(repeating: [.serverEvent, .arrived(.init())], count: LoadMachine.maximumRestarts).flatMap(\.self)
                + [.serverEvent]
        ),
        ("arrived", "reload", [.arrived(.init())]),
        ("arrived-late", "too-late", [.arrived(.init())]),
        ("stale", "arrived-late", [.kept(.init())]),
        ("conflicting", "arrived", [.mutationBegan(.whole), .kept(.init()), .canceled]),
        ("failed", "first", [.failed(offline, isPrefetch: false)]),
        ("failed-again", "reload", [.failed(offline, isPrefetch: false)]),
        ("retry", "failed-again", [.begin(.refetch, isBackground: true)]),
    ]

    private static let offline = NetworkError(.offline(.noPath), phase: .connecting)

    static let events: [(name: String, event: Event)] = [
        ("begin next", .begin(.next, isBackground: false)),
        ("begin refresh in background", .begin(.refresh, isBackground: true)),
        ("read", .read(.init())),
        ("read from store", .read(nil)),
        ("arrived", .arrived(.init())),
        ("arrived without mutation", .arrived(.init(lacksMutation: true))),
        ("arrived without event", .arrived(.init(lacksEvent: true))),
        ("kept", .kept(.init())),
        ("kept with conflict", .kept(.init(isConflicting: true))),
        ("kept, next in background", .kept(.init(next: .inBackground))),
        ("kept, next for waiters", .kept(.init(next: .forWaiters))),
        ("failed offline", .failed(offline, isPrefetch: false)),
        ("failed for good", .failed(NetworkError(.notCached, phase: .middleware), isPrefetch: false)),
        ("failed as prefetch", .failed(offline, isPrefetch: true)),
        ("failed as canceled", .failed(NetworkError(.cancelled, phase: .middleware), isPrefetch: false)),
        ("canceled", .canceled),
        ("abandoned", .abandoned),
        ("left by the last", .left(isAlone: true)),
        ("left by one", .left(isAlone: false)),
        ("network returned", .networkReturned),
        ("mutation began", .mutationBegan(.whole)),
        ("mutation of element began", .mutationBegan(element)),
        ("mutation ended", .mutationEnded(.whole)),
        ("server event", .serverEvent),
        ("server event during mutation", .serverEventDuringMutation),
        ("invalidated", .invalidated),
        ("set by server", .set(.server)),
        ("set by client", .set(.client)),
        ("removed", .removed),
        ("restored", .restored),
        ("reset", .reset),
    ]

    static func machine(_ shape: LoadMachine.Shape, in name: String) -> LoadMachine? {
        guard let state = states(shape).first(where: { $0.name == name }) else { return nil }
        guard var machine = state.after.map({ machine(shape, in: $0) }) ?? LoadMachine(shape) else { return nil }
        for event in state.events { _ = machine.receive(event) }
        return machine
    }
}

extension LoadMachine: CustomStringConvertible {
    /// The state as in the table, such as `refetch sent after loaded, stale`.
    public var description: String {
        let text =
            switch state {
            case .idle: "idle"
            case .settled(let settled): "\(settled)"
            case .running(let attempt): "\(attempt)"
            }
        return text + (freshness == .fresh ? "" : ", \(freshness)") + (mutations.isSending ? ", changing" : "")
    }
}

extension LoadMachine.Settled: CustomStringConvertible {
    public var description: String {
        switch self {
        case .loaded: "loaded"
        case .failed(_, let load, let hasContent): "failed \(load)\(hasContent ? " with content" : "")"
        }
    }
}

extension LoadMachine.Attempt: CustomStringConvertible {
    public var description: String {
        let stage =
            switch self.stage {
            case .waiting: "waiting"
            case .sent: "sent"
            case .arrived(_, let lacksEvent): lacksEvent ? "arrived late" : "arrived"
            }
        let place = isBackground ? " in background" : ""
        let count = restarts > 0 ? " restart \(restarts)" : ""
        return "\(load) \(stage)\(place)\(count) after \(former.map { "\($0)" } ?? "nothing")"
    }
}

extension LoadMachine.Effect: CustomStringConvertible {
    public var description: String {
        switch self {
        case .start(let load, let isBackground): "start \(load)\(isBackground ? " in background" : "")"
        case .send: "send"
        case .keep(let lacksEvent): lacksEvent ? "keep late" : "keep"
        case .show: "show"
        case .cancel: "cancel"
        case .clear: "clear"
        case .waitForNetwork: "wait for network"
        case .stopWaitingForNetwork: "stop waiting"
        }
    }
}
