#if os(Linux)
import GodwitBackground

/// A job as the queue's file has it, without what it takes to do it.
struct StoredJob {
    /// What is written down about where a job stands.
    enum State: Int {
        /// To be done, or under way: what was under way when the process died is to be done.
        case pending = 0
        /// Waits to be resumed.
        case paused = 1
        /// Has ended.
        case ended = 2
        /// Content that must not be sent twice is under way.
        case sending = 3
    }

    let id: UUID
    let session: String
    let state: State
    /// By the queue's clock.
    let deadline: Int64
    let isDiscretionary: Bool
    /// Whether it may be sent again when it may have been received.
    let isRepeatable: Bool

    init(id: UUID, session: String, state: State, deadline: Int64, _ spec: TransferSpec?) {
        self.id = id
        self.session = session
        self.state = state
        self.deadline = deadline
        isDiscretionary = spec?.isDiscretionary ?? false
        isRepeatable = spec?.isRepeatable ?? true
    }
}
#endif
