import GodwitTesting

/// What is known of a mutation.
enum SequenceOutcome {
    /// The server hasn't answered.
    case open
    case accepted
    /// The server didn't apply it.
    case refused
    /// The server may have applied it, or something has replaced its effect since.
    case unknown
}

/// A mutation of a sequence, identified by its mark. Later ones have larger marks.
struct SequenceMutation {
    enum Kind {
        /// Marks a note in all lists and values.
        case mark
        /// Marks the value of a note by its endpoint, and not the elements of lists.
        case markValue
        /// Removes a note from all lists and values.
        case remove
        /// Removes the value of a note by its endpoint.
        case removeValue
        /// Sets the value of a note that the store doesn't have.
        case put
        /// Inserts a note in the lists. Until the server has answered, its ID is the negative mark.
        case create
        /// Marks a note, through an outbox.
        case queued
    }

    let kind: Kind
    var note: Int
    var outcome = SequenceOutcome.open
    /// Whether its effect may not be there yet, or may end at any moment.
    var isEnding = true
    /// Whether its effect has found the note's mark, and set it in the summary.
    var isInSummary = false
    /// Whether the outbox has shown it.
    var isListed = false
    /// Whether it was given up.
    var isDiscarded = false
    var task: Task<Void, Never>?

    var removes: Bool { kind == .remove || kind == .removeValue }

    /// Whether its effect is visible at a place.
    func isVisible(at place: SequencePlace) -> Bool {
        switch kind {
        case .mark, .remove, .queued: true
        case .markValue, .removeValue, .put: !place.isInList
        case .create: place.isInList
        }
    }
}

/// Where a screen shows a note.
enum SequencePlace: Hashable, CustomStringConvertible {
    case loader(Int)
    /// The value without a loader.
    case value(Int)
    case element(String, Int)

    var isInList: Bool { if case .element = self { true } else { false } }

    var note: Int {
        switch self {
        case .loader(let id), .value(let id), .element(_, let id): id
        }
    }

    var description: String {
        switch self {
        case .loader(let id): "loader \(id)"
        case .value(let id): "value \(id)"
        case .element(let list, let id): "\(list) \(id)"
        }
    }
}

/// What a screen has shown at a place in this account.
struct SequenceShown {
    var version = 0
    var isShown = false
}

/// What is known of a server and its mutations at a moment.
struct SequenceFacts {
    /// The server's notes.
    var notes: [Int: Note] = [:]
    /// The mutations by note, with their marks.
    var mutations: [Int: [(mark: Int, SequenceMutation)]] = [:]
    /// The mutations whose effect may end at any moment, as the server has answered.
    var ending: Set<Int> = []
    /// The notes that are in the server's lists, as far as the client knows.
    var existing: Set<Int> = []
    /// How many requests the server got.
    var requests = 0
    /// How many of them it has answered.
    var answered = 0

    init() {}

    init(_ server: NoteServer, _ known: [Int: SequenceMutation]) {
        let state = server.state.value
        (notes, requests) = (state.notes, state.exchanges.count)
        answered = state.exchanges.count { $0.isAnswered || $0.isOver }
        for (mark, mutation) in known {
            mutations[mutation.note, default: []].append((mark, mutation))
            if mutation.isEnding { ending.insert(mark) }
        }
        for exchange in state.exchanges where exchange.isAnswered || exchange.isOver {
            guard let mark = exchange.mark else { continue }
            // An outbox sends it again after a failure.
            if known[mark]?.kind == .queued, case .failure = exchange.result { continue }
            ending.insert(mark)
        }
        let created = known.values.filter { $0.kind == .create && $0.outcome == .accepted }
        let removed = known.values.filter { $0.removes && $0.outcome != .refused }
        existing = Set(1...SequenceRun.noteCount).union(created.map(\.note)).subtracting(removed.map(\.note))
            .intersection(notes.keys)
    }
}
