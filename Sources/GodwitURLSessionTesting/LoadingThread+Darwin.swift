#if canImport(Security)
import GodwitURLSession

/// The thread on which URLSession loads a protocol: `URLProtocol` may call its client only there. Known by its run
/// loop.
struct LoadingThread: Sendable {
    // Safe: a run loop accepts blocks from any thread.
    nonisolated(unsafe) private let loop: CFRunLoop
    private let mode: CFRunLoopMode

    /// Captures the current thread. Call it in `startLoading`.
    init() {
        loop = CFRunLoopGetCurrent()
        mode = CFRunLoopCopyCurrentMode(loop) ?? .defaultMode
    }

    /// Plays the answer on the thread.
    ///
    /// Uses the run loop mode of the start, which may be private to URLSession, and the default mode. The first to run
    /// plays it.
    func hand(over loader: StubURLProtocol) {
        // Safe: used on the loading thread only.
        nonisolated(unsafe) let loader = loader
        for mode in [mode, .defaultMode] {
            CFRunLoopPerformBlock(loop, mode.rawValue) { loader.playAnswer() }
        }
        CFRunLoopWakeUp(loop)
    }
}
#endif
