@_spi(Engines) import GodwitCore

/// One end of an in-memory connection. The other end reads at its own speed.
final class MemoryDuplex: MockDuplex {
    private let incoming: MemoryPipe
    private let outgoing: MemoryPipe

    private init(_ incoming: MemoryPipe, _ outgoing: MemoryPipe) {
        self.incoming = incoming
        self.outgoing = outgoing
    }

    deinit {
        close()
    }

    /// Makes the two ends of a connection.
    static func makePair() -> (client: MemoryDuplex, server: MemoryDuplex) {
        let (down, up) = (MemoryPipe(), MemoryPipe())
        return (MemoryDuplex(down, up), MemoryDuplex(up, down))
    }

    func start(_ receiver: any DuplexReceiver) {
        incoming.start(receiver)
    }

    func resumeReading() {
        incoming.resume()
    }

    func write(_ bytes: [UInt8], completion: @escaping @Sendable (NetworkError?) -> Void) {
        outgoing.append(MemoryPipe.Piece(bytes: bytes, completion: completion))
    }

    func close() {
        outgoing.finish()
        incoming.cut(nil)
    }

    func interrupt(resets: Bool) {
        let reset = NetworkError(.transport(.connectionLost("reset by the mock")), phase: .receiving)
        outgoing.cut(resets ? reset : nil)
        incoming.cut(nil)
    }

    func fallSilent() {
        incoming.discardPieces()
    }

    /// Waits until nothing more can arrive. Returns early if the task is canceled.
    func waitUntilOver() async {
        await incoming.waitUntilOver()
    }
}
