#if canImport(CNGHTTP2)
import CNGHTTP2
import GodwitCore
import GodwitSupport
import Synchronization

/// Serves one HTTP/2 connection: its thread reads, a second one writes, and each request is answered by a task.
final class HTTP2Connection: Sendable {
    let number: Int
    let service: ServerService
    let socket: any ServerStream
    /// nghttp2's state, which both threads and all tasks use.
    private let session: Mutex<HTTP2Session>
    private let wakeUp: WakePipe
    private let exchanges = Mutex<[Int32: HTTP2Exchange]>([:])
    private let end = Mutex(End.open)

    /// How the connection ends. What is worse wins.
    enum End: Int, Sendable {
        case open
        /// By the protocol: after what is queued.
        case closed
        /// Without `close_notify`.
        case truncated
    }

    /// Nil if memory or descriptors ran out.
    init?(number: Int, socket: any ServerStream, service: ServerService) {
        guard let session = HTTP2Session(headLimit: service.options.headLimit), let wakeUp = WakePipe() else {
            return nil
        }
        self.number = number
        self.socket = socket
        self.service = service
        self.session = Mutex(session)
        self.wakeUp = wakeUp
    }

    /// Returns at the end of the connection. The caller closes it.
    ///
    /// - Parameter early: What the client has already sent.
    func run(after early: [UInt8]) {
        guard let writer = SystemThread({ self.write() }) else { return socket.finish() }
        if receive(early[...]) { read() }
        close(.closed)
        writer.join()
        let left = exchanges.withLock { exchanges in
            defer { exchanges = [:] }
            return exchanges
        }
        for exchange in left.values { exchange.streamClosed() }
    }

    /// Ends the connection.
    func close(_ how: End) {
        end.withLock { if how.rawValue > $0.rawValue { $0 = how } }
        wakeUp.wake()
    }

    /// Uses the session, and sends what that leads to.
    func use<Result: Sendable>(_ body: @Sendable (HTTP2Session) -> Result) -> Result {
        let (result, events) = session.withLock { session in (body(session), session.takeEvents()) }
        handle(events)
        wakeUp.wake()
        return result
    }

    // MARK: The threads

    private func read() {
        var input = [UInt8](repeating: 0, count: 64 << 10)
        while end.withLock({ $0 == .open }) {
            let count = input.withUnsafeMutableBytes(socket.read)
            guard count > 0, receive(input[..<count]) else { return }
        }
    }

    /// Whether the connection continues.
    private func receive(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return true }
        let events = session.withLock { $0.receive(bytes) }
        handle(events ?? [])
        wakeUp.wake()
        return events != nil
    }

    /// Writes until the connection ends, and then ends it for the thread that reads.
    private func write() {
        while true {
            let (output, events, isOver) = session.withLock { session in
                let output = session.takeOutput()
                return (output, session.takeEvents(), session.isOver)
            }
            handle(events)
            let end = end.withLock { $0 }
            if !output.isEmpty, end != .truncated {
                guard socket.write(output) else { break }
                continue
            }
            if end != .open { break }
            if isOver {
                close(.closed)
                continue
            }
            wakeUp.wait()
            wakeUp.drain()
        }
        if end.withLock({ $0 == .closed }) { socket.finish() }
        socket.interrupt()
    }

    // MARK: Streams

    private func handle(_ events: [HTTP2Session.Event]) {
        for event in events {
            switch event {
            case .head(let stream, let head, let isTooLarge):
                let exchange = HTTP2Exchange(head, isTooLarge: isTooLarge, stream, on: self)
                exchanges.withLock { $0[stream] = exchange }
                exchange.start()
            case .content(let stream, let bytes): exchange(stream)?.receive(bytes)
            case .end(let stream, let trailers): exchange(stream)?.receiveEnd(trailers)
            case .closed(let stream):
                exchanges.withLock { $0.removeValue(forKey: stream) }?.streamClosed()
            }
        }
    }

    private func exchange(_ stream: Int32) -> HTTP2Exchange? { exchanges.withLock { $0[stream] } }
}
#endif
