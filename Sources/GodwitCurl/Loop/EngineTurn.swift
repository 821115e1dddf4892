#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitSockets

/// Lets one thread at a time run an engine: its loop's own, which has the turn whenever it is awake, or a caller's while the
/// loop sleeps (decision 097).
final class EngineTurn: @unchecked Sendable {
    // Proof: the lock is made before any other thread can see it, and everything else is touched by the thread that holds it.

    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    /// What libcurl's hooks keep; nil if memory ran out.
    private let hooks: OpaquePointer?
    /// The turn of another loop, on whose thread this one was taken.
    private var outer: OpaquePointer?
    /// Nil before the loop has started, and after it has ended.
    var engine: Engine?
    /// When the loop's thread wakes up by itself; nil for never.
    var wakeUp: LoopTime?
    /// Whether a caller had the turn since the loop went to sleep: what the kernel reported may be over.
    var wasLent = false

    init() {
        lock = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        hooks = godwit_turn_create()
    }

    deinit {
        godwit_turn_free(hooks)
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Waits for the turn. No thread has it for long.
    func begin() {
        pthread_mutex_lock(lock)
        outer = godwit_turn_enter(hooks)
    }

    /// Takes the turn if no thread has it, not even this one.
    func tryToBegin() -> Bool {
        guard pthread_mutex_trylock(lock) == 0 else { return false }
        outer = godwit_turn_enter(hooks)
        return true
    }

    func end() {
        _ = godwit_turn_enter(outer)
        pthread_mutex_unlock(lock)
    }
}
#endif
