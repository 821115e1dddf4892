package import GodwitCore

/// The rules of loading a value or a list: what to do when loads, mutations and events come in any order. A pure value.
///
/// ``LoadRunner`` passes events to it and performs the effects that it returns.
package struct LoadMachine {
    package enum Shape {
        case value
        /// A list, which is loaded page by page.
        case pages
    }

    package enum State {
        /// Nothing was loaded so far, or it was removed.
        case idle
        case running(Attempt)
        case settled(Settled)
    }

    package enum Settled {
        case loaded
        case failed(NetworkError, Load, hasContent: Bool)
    }

    /// What is loaded.
    package enum Load {
        /// A value, or the next page of a list. A cached one suffices.
        case next
        /// A newer value, or the first page of the list as the server has it now.
        case refresh
        /// A newer value, or as many elements of the list as there are.
        case refetch
    }

    /// How new the value is. Of two reasons not to use it, the later case is kept.
    package enum Freshness: Comparable {
        /// As new as the last response.
        case fresh
        /// Events came faster than responses, so it may lack one.
        case stale
        /// A newer value is known to exist.
        case invalidated
        /// It arrived while a mutation was being sent, so it is unknown which of them is newer.
        case conflicting
    }

    /// A load in progress.
    package struct Attempt {
        package enum Stage {
            /// Not sent yet, as the mutations that are being sent would make its result outdated.
            case waiting
            case sent(since: MutationHistory.Mark)
            /// The result is becoming the value.
            case arrived(since: MutationHistory.Mark, lacksEvent: Bool)
        }

        package let load: Load
        /// Whether it continues when no task waits for it.
        package let isBackground: Bool
        /// What to return to when it is canceled.
        package internal(set) var former: Settled?
        package internal(set) var stage: Stage
        /// How often it was sent again because of events.
        package internal(set) var restarts = 0
        /// Whether it waits for mutations of elements too. The next page usually has none of them.
        var awaitsElements = false
        /// Whether what it read before its end is shown.
        var isShown = false
    }

    /// What only the content knows of a result.
    package struct Arrival {
        /// Whether an element or a first value may lack a mutation.
        var lacksMutation = false
        /// Whether it may be older than an event.
        var lacksEvent = false

        package init(lacksMutation: Bool = false, lacksEvent: Bool = false) {
            self.lacksMutation = lacksMutation
            self.lacksEvent = lacksEvent
        }
    }

    /// What became of a result.
    package struct Kept {
        /// Whether mutations that are being sent change a new element.
        var isConflicting = false
        /// The page to load next, as no element of this one will appear and request it.
        var next: NextPage?

        package enum NextPage {
            case inBackground
            /// For the tasks that wait for this one.
            case forWaiters
        }

        package init(isConflicting: Bool = false, next: NextPage? = nil) {
            self.isConflicting = isConflicting
            self.next = next
        }
    }

    package enum Event {
        case begin(Load, isBackground: Bool)
        /// A reading came before the end; `nil` for a stored one.
        case read(Arrival?)
        case arrived(Arrival)
        /// The effect ``Effect/keep(lacksEvent:)`` was performed.
        case kept(Kept)
        case failed(NetworkError, isPrefetch: Bool)
        case canceled
        /// The last task that waited for the load was canceled, and the load with it.
        case abandoned
        /// An observer has left, and no task waits for the load.
        case left(isAlone: Bool)
        case networkReturned
        case mutationBegan(MutationHistory.Scope)
        case mutationEnded(MutationHistory.Scope)
        /// The value, or the order of the list, was changed without a mutation.
        case serverEvent
        /// An event has set a value while a mutation of it is being sent.
        case serverEventDuringMutation
        case invalidated
        /// A mutation or an event has set the value.
        case set(ConfirmedOrigin)
        case removed
        /// The content of an earlier launch is shown.
        case restored
        /// The account changed, or the store doesn't need the value.
        case reset
    }

    package enum Effect {
        /// Replace the load in progress. Its request isn't sent yet.
        case start(Load, isBackground: Bool)
        case send
        /// Make the result the value.
        case keep(lacksEvent: Bool)
        /// Show what was read before the end.
        case show
        case cancel
        case clear
        case waitForNetwork
        case stopWaitingForNetwork
    }

    /// How often a load is sent again because of events. Events may come faster than any response.
    package static let maximumRestarts = 3

    let shape: Shape
    package internal(set) var state = State.idle
    package internal(set) var freshness = Freshness.fresh
    package internal(set) var mutations = MutationHistory()

    package init(_ shape: Shape) {
        self.shape = shape
    }
}

// What it is like.
extension LoadMachine {
    package var attempt: Attempt? { if case .running(let attempt) = state { attempt } else { nil } }

    /// The state without the load in progress; `nil` if nothing was loaded.
    package var settled: Settled? {
        switch state {
        case .idle: nil
        case .running(let attempt): attempt.former
        case .settled(let settled): settled
        }
    }

    package var hasContent: Bool { settled?.hasContent ?? false }

    /// Whether a mutation has changed one of these elements since the load was sent, or is changing it.
    func isChanging(anyOf ids: some Sequence<AnyHashable>) -> Bool {
        attempt?.mark.map { mutations.hasChanged(anyOf: ids, since: $0) } ?? false
    }

    /// Whether the value is known to be outdated.
    package var isStale: Bool { freshness > .fresh }

    /// What to load when a screen asks for the value.
    package var nextLoad: Load {
        // A list that may lack an element is read on: events would make it start again each time.
        if freshness >= (shape == .value ? .stale : .invalidated) { return .refetch }
        if case .failed(_, let load, _) = settled, shape == .value { return load }
        return .next
    }

    /// What to load again after a failure.
    package var failedLoad: Load? { if case .failed(_, let load, _) = settled { load } else { nil } }
}

extension LoadMachine.Attempt {
    /// When it was sent; `nil` before.
    var mark: MutationHistory.Mark? {
        switch stage {
        case .waiting: nil
        case .sent(let mark), .arrived(let mark, _): mark
        }
    }
}

extension LoadMachine.Load {
    /// The policy that replaces the client's.
    var cachePolicy: CachePolicy? { self == .next ? nil : .reloadRevalidating }
}

extension LoadMachine.Settled {
    var hasContent: Bool {
        switch self {
        case .loaded: true
        case .failed(_, _, let hasContent): hasContent
        }
    }

    var isLoaded: Bool { if case .loaded = self { true } else { false } }
}
