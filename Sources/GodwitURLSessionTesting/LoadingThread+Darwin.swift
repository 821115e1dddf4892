#if canImport(Security)
import GodwitURLSession

/// The thread on which URLSession loads a protocol, known by its run loop: `URLProtocol` may call its client there alone.
struct LoadingThread: Sendable {
    // Safe: a run loop takes blocks from any thread.
    nonisolated(unsafe) private let loop: CFRunLoop
    private let mode: CFRunLoopMode

    /// The current thread: to be made in `startLoading`.
    init() {
        loop = CFRunLoopGetCurrent()
        mode = CFRunLoopCopyCurrentMode(loop) ?? .defaultMode
    }

    /// Has the answer played.
    ///
    /// In the mode of the start, which may be private to URLSession, and in the default one: the first to run plays it.
    func hand(over loader: StubURLProtocol) {
        // Safe: used on the loading thread alone.
        nonisolated(unsafe) let loader = loader
        for mode in [mode, .defaultMode] {
            CFRunLoopPerformBlock(loop, mode.rawValue) { loader.playAnswer() }
        }
        CFRunLoopWakeUp(loop)
    }
}
#endif
