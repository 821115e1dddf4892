@_spi(Engines) import GodwitCore
import Synchronization

/// An upgraded socket. Its thread reads and a second thread writes, because both may block.
final class SocketDuplex: MockDuplex {
    private struct State {
        var receiver: (any DuplexReceiver)?
        var isPaused = false
        /// Whether the receiver asked for a pause.
        var hasPaused = false
        /// Whether received bytes are dropped.
        var isSilent = false
        var output: [(bytes: [UInt8], completion: @Sendable (NetworkError?) -> Void)] = []
        /// Whether only queued bytes are written.
        var isClosing = false
    }

    private let state = Mutex(State())
    private let socket: any ServerStream
    private let readerPipe: WakePipe
    private let writerPipe: WakePipe

    init(_ socket: any ServerStream, _ readerPipe: WakePipe, _ writerPipe: WakePipe) {
        self.socket = socket
        self.readerPipe = readerPipe
        self.writerPipe = writerPipe
    }

    func start(_ receiver: any DuplexReceiver) {
        state.withLock { $0.receiver = receiver }
    }

    func resumeReading() {
        state.withLock { $0.isPaused = false }
        readerPipe.wake()
    }

    func write(_ bytes: [UInt8], completion: @escaping @Sendable (NetworkError?) -> Void) {
        let isAccepted = state.withLock { state in
            if !state.isClosing { state.output.append((bytes, completion)) }
            return !state.isClosing
        }
        isAccepted ? writerPipe.wake() : completion(Self.gone)
    }

    func close() {
        state.withLock { $0.isClosing = true }
        writerPipe.wake()
    }

    /// The connection loop makes the reset when it closes the socket.
    func interrupt(resets: Bool) {
        close()
        socket.interrupt()
        readerPipe.wake()
    }

    func fallSilent() {
        state.withLock { $0.isSilent = true }
        resumeReading()
    }

    // MARK: The threads

    /// Reads until the connection ends.
    func runReader(after early: [UInt8]) {
        let receiver = state.withLock { $0.receiver }
        guard let receiver else { return }
        if !early.isEmpty { hand(early[...], to: receiver) }
        var input = [UInt8](repeating: 0, count: 64 << 10)
        while waitUntilWanted() {
            // After a pause it may have kept some bytes.
            if resumes() {
                hand([], to: receiver)
                continue
            }
            let count = input.withUnsafeMutableBytes { [socket] in socket.read(into: $0) }
            guard count > 0 else { break }
            hand(input[..<count], to: receiver)
        }
        receiver.receiveEnd(nil)
        close()
        state.withLock { $0.receiver = nil }
    }

    private func resumes() -> Bool {
        state.withLock { state in
            defer { state.hasPaused = false }
            return state.hasPaused
        }
    }

    private func hand(_ bytes: ArraySlice<UInt8>, to receiver: any DuplexReceiver) {
        if state.withLock({ $0.isSilent }) { return }
        // Set before delivery, because the receiver may resume during the call.
        state.withLock { $0.isPaused = true }
        let continues = bytes.withUnsafeBytes(receiver.receive)
        state.withLock { state in
            if continues { state.isPaused = false } else { state.hasPaused = true }
        }
    }

    /// Waits while the receiver is paused, unless the peer disconnects; its last bytes are then read.
    private func waitUntilWanted() -> Bool {
        while state.withLock({ $0.isPaused }) {
            guard socket.wait(for: readerPipe) else { return true }
            readerPipe.drain()
        }
        return true
    }

    /// Writes until the connection should be closed, then ends it.
    func runWriter() {
        while true {
            let (output, isClosing) = state.withLock { state in
                defer { state.output = [] }
                return (state.output, state.isClosing)
            }
            for (bytes, completion) in output {
                completion(socket.write(Data(bytes)) ? nil : Self.gone)
            }
            if !output.isEmpty { continue }
            if isClosing {
                socket.finish()
                return socket.interrupt()
            }
            writerPipe.wait()
            writerPipe.drain()
        }
    }

    private static let gone = NetworkError(.transport(.connectionLost("the connection is closed")), phase: .sending)
}
