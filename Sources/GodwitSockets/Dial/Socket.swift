#if os(Linux)
import GodwitLibc
import GodwitSupport
import GodwitTLS

/// A descriptor that the loop's poller watches. It is closed here and nowhere else. Used in the loop's turn.
final class Socket: PollTarget, TLSCarrier {
    let descriptor: Int32
    private let poller: Poller
    /// Whether a read may find something; and a write may be taken.
    private(set) var isReadable = false
    private(set) var isWritable = false
    /// The peer closed its side, or the connection failed: reads find out.
    private(set) var hasHungUp = false
    /// Whether a call met a reset by the peer.
    private(set) var wasReset = false
    private var isOpen = true
    /// Whether the poller leaves it to a caller that waits for it (decision 118).
    var isPaused = false {
        didSet {
            guard isOpen, isPaused != oldValue else { return }
            if isPaused { poller.pause(descriptor) } else { poller.resume(descriptor) }
        }
    }
    /// Called after events came.
    var onReady: (() -> Void)?

    /// Takes a descriptor over; `nil`, and it is closed, if the poller can't watch it.
    init?(_ descriptor: Int32, _ poller: Poller) {
        self.descriptor = descriptor
        self.poller = poller
        guard poller.add(descriptor, self) else {
            GodwitLibc.close(descriptor)
            isOpen = false
            return nil
        }
    }

    deinit { close() }

    func ready(_ events: UInt32) {
        if events & Poller.readable != 0 { isReadable = true }
        if events & Poller.writable != 0 { isWritable = true }
        if events & Poller.closed != 0 {
            hasHungUp = true
            isReadable = true
            isWritable = true
        }
        onReady?()
    }

    /// Waits for events, and reports them. Returns whether there were any.
    ///
    /// - Parameters:
    ///   - milliseconds: The longest wait.
    ///   - bell: An eventfd that ends the wait when it rings.
    func wait(milliseconds: Int32, or bell: Int32) -> Bool {
        guard isOpen else { return false }
        let wanted = isWritable ? Poller.unwritable : Poller.all
        let events = SocketCalls.wait(descriptor, for: wanted, or: bell, milliseconds: milliseconds)
        if events != 0 { ready(events) }
        return events != 0
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard isOpen else { return -Int(EBADF) }
        let count = SocketCalls.receive(descriptor, buffer)
        if count == -Int(ECONNRESET) { wasReset = true }
        // Less than was asked for: there is no more, and the next byte causes an event.
        if count == -Int(EAGAIN) || count > 0 && count < buffer.count && !hasHungUp { isReadable = false }
        return count
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard isOpen else { return -Int(EBADF) }
        let count = SocketCalls.send(descriptor, bytes)
        if count == -Int(ECONNRESET) { wasReset = true }
        if count == -Int(EAGAIN) || count >= 0 && count < bytes.count { isWritable = false }
        return count
    }

    func closeWriting() {
        if isOpen { SocketCalls.closeWriting(descriptor) }
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        onReady = nil
        poller.remove(descriptor)
        GodwitLibc.close(descriptor)
    }
}
#endif
