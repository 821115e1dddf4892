@_spi(Engines) import GodwitCore

/// One direction of a ``MemoryDuplex``: a queue of pieces, followed by the end.
final class MemoryPipe: Sendable {
    /// Bytes, and a handler for their delivery.
    struct Piece: Sendable {
        let bytes: [UInt8]
        let completion: @Sendable (NetworkError?) -> Void
    }

    private struct State: Sendable {
        var receiver: (any DuplexReceiver)?
        var isStarted = false
        var isPaused = false
        /// Whether the receiver asked for a pause. It may have kept some bytes.
        var hasPaused = false
        /// Whether pieces are read and dropped.
        var isDiscarding = false
        var pieces: [Piece] = []
        /// Whether no more pieces are accepted.
        var isFinished = false
        /// Passed to the receiver with the end.
        var failure: NetworkError?
        var isOver = false

        /// Whether a pause is over.
        var resumes: Bool { hasPaused && !isPaused }

        /// Whether the next step can run.
        var isReady: Bool {
            isStarted && (pieces.isEmpty ? isFinished || resumes : !isPaused || isDiscarding)
        }
    }

    private enum Step: Sendable {
        case piece(Piece, any DuplexReceiver)
        case discarded(Piece)
        case end((any DuplexReceiver)?, NetworkError?)
    }

    private let state = Watched(State())

    /// Starts delivery in a separate task, so that a writer never calls the receiver.
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

    /// Drops all further pieces. The receiver gets only the end.
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

    /// Accepts no more pieces. Queued pieces are still delivered.
    func finish() {
        state.update { $0.isFinished = true }
    }

    /// Ends immediately and drops queued pieces.
    ///
    /// - Parameter failure: The error for the receiver; `nil` for a normal end.
    func cut(_ failure: NetworkError?) {
        let lost = state.update { state in
            defer { state.pieces = [] }
            if state.failure == nil { state.failure = failure }
            state.isFinished = true
            return state.pieces
        }
        for piece in lost { piece.completion(Self.gone) }
    }

    /// Waits until the receiver has received the end. Returns early if the task is canceled.
    func waitUntilOver() async {
        try? await state.wait { $0.isOver }
    }

    private func run() async {
        while true {
            // This task is never canceled: both ends finish in their deinitializers, so the end always comes.
            try? await state.wait { $0.isReady }
            switch state.update({ Self.next(&$0) }) {
            case .piece(let piece, let receiver):
                let continues = piece.bytes.withUnsafeBytes(receiver.receive)
                state.update { state in
                    if continues { state.isPaused = false } else { state.hasPaused = true }
                }
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
        if state.resumes, !state.isDiscarding, let receiver = state.receiver {
            state.hasPaused = false
            state.isPaused = true
            return .piece(Piece(bytes: []) { _ in }, receiver)
        }
        guard !state.pieces.isEmpty, let receiver = state.receiver else {
            // The receiver retains the connection. Releasing it breaks the cycle.
            return .end(state.receiver.take(), state.failure)
        }
        if state.isDiscarding { return .discarded(state.pieces.removeFirst()) }
        // Set before delivery, because the receiver may resume during the call.
        state.isPaused = true
        return .piece(state.pieces.removeFirst(), receiver)
    }

    private static let gone = NetworkError(.transport(.connectionLost("the connection is closed")), phase: .sending)
}
