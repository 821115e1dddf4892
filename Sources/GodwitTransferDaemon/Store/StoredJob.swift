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
    /// In seconds since 1970.
    let deadline: Int64
    let isDiscretionary: Bool
}
#endif
