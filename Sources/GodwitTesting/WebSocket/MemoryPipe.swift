import GodwitCore

/// One direction of a ``MemoryDuplex``: pieces that wait for a receiver, and the end behind them.
final class MemoryPipe: Sendable {
    /// Bytes, and who is told when they were taken.
    struct Piece: Sendable {
        let bytes: [UInt8]
        let completion: @Sendable (NetworkError?) -> Void
    }

    private struct State: Sendable {
        var receiver: (any DuplexReceiver)?
        var isStarted = false
        var isPaused = false
        /// What comes is taken and not handed over.
        var isDiscarding = false
        var pieces: [Piece] = []
        /// No more is taken in.
        var isFinished = false
        /// Why it broke; told at the end.
        var failure: NetworkError?
        var isOver = false

        /// Whether there is something for the receiver, and it wants it.
        var isReady: Bool {
            isStarted && (pieces.isEmpty ? isFinished : !isPaused || isDiscarding)
        }
    }

    private enum Step: Sendable {
        case piece(Piece, any DuplexReceiver)
        case discarded(Piece)
        case end((any DuplexReceiver)?, NetworkError?)
    }

    private let state = Watched(State())

    /// Begins to hand over, from a task of its own: a receiver is never called by a writer.
    func start(_ receiver: any DuplexReceiver) {
        state.update { state in
            state.receiver = receiver
            state.isStarted = true
        }
        Task { await run() }
    }

    func resume() {
        state.update { $0.isPaused = false }
    }

    /// Takes what comes, and hands nothing over any more but the end.
    func discardPieces() {
        state.update { $0.isDiscarding = true }
    }

    func append(_ piece: Piece) {
        let isTaken = state.update { state in
            if !state.isFinished { state.pieces.append(piece) }
            return !state.isFinished
        }
        if !isTaken { piece.completion(Self.gone) }
    }

    /// Takes no more in; what waits still arrives.
    func finish() {
        state.update { $0.isFinished = true }
    }

    /// Ends at once; what waits is lost.
    ///
    /// - Parameter failure: What the receiver is told; nil for an end.
    func cut(_ failure: NetworkError?) {
        let lost = state.update { state in
            defer { state.pieces = [] }
            if state.failure == nil { state.failure = failure }
            state.isFinished = true
            return state.pieces
        }
        for piece in lost { piece.completion(Self.gone) }
    }

    /// Waits until the receiver was told the end. Returns early when the task is cancelled.
    func waitUntilOver() async {
        try? await state.wait { $0.isOver }
    }

    private func run() async {
        while true {
            // Never cancelled: the end always comes, as both ends finish when they are let go of.
            try? await state.wait { $0.isReady }
            switch state.update({ Self.next(&$0) }) {
            case .piece(let piece, let receiver):
                if piece.bytes.withUnsafeBytes(receiver.receive) { resume() }
                piece.completion(nil)
            case .discarded(let piece):
                piece.completion(nil)
            case .end(let receiver, let failure):
                receiver?.receiveEnd(failure)
                return state.update { $0.isOver = true }
            }
        }
    }

    private static func next(_ state: inout State) -> Step {
        guard !state.pieces.isEmpty, let receiver = state.receiver else {
            // The receiver holds on to the connection: let go of it, or neither ends.
            return .end(state.receiver.take(), state.failure)
        }
        if state.isDiscarding { return .discarded(state.pieces.removeFirst()) }
        // Set first: whoever drains meanwhile takes it back.
        state.isPaused = true
        return .piece(state.pieces.removeFirst(), receiver)
    }

    private static let gone = NetworkError(.transport(.connectionLost("it is closed")), phase: .sending)
}
