#if os(Linux)
/// How a response's body moves from its connection through its decoder to its sink, as a value: takes events, and says what
/// follows.
///
/// Only the sink's room moves it: a decoder that has input left gets no more, and a sink that is full gets nothing.
package struct BodyFlow {
    /// The connection's side.
    enum Source: Equatable {
        case open
        /// The connection holds bytes back.
        case paused
        /// All of the response arrived.
        case ended
    }

    /// The decoder's side. A body without codings has none, and is always `idle`.
    enum Decoding: Equatable {
        /// All input is decoded.
        case idle
        /// There is input left.
        case waiting
        /// There is input left, and the loop will decode some of it in its turn.
        case queued
        /// Another thread has the decoder, for a step that takes longer than a turn.
        case away
    }

    /// What follows from an event.
    package enum Step: Equatable {
        /// Nothing until the next event.
        case wait
        /// The loop has to decode some of the input in its turn.
        case queue
        /// The connection may read on.
        case resume
        /// The exchange is over.
        case finish
    }

    private(set) var source = Source.open
    private(set) var decoding = Decoding.idle
    /// Whether the reader has to catch up before the sink takes more.
    package var isFull = false

    /// Whether the decoder has input left.
    var holdsInput: Bool { decoding != .idle }
    package var hasEnded: Bool { source == .ended }

    /// The connection has bytes. Whether they are taken; otherwise it holds them back.
    mutating func offer() -> Bool {
        guard source != .ended else { return false }
        let isTaken = !isFull && decoding == .idle
        source = isTaken ? .open : .paused
        return isTaken
    }

    /// Input was decoded, as far as there was room and time.
    mutating func decoded(hasInput: Bool) {
        decoding = hasInput ? .waiting : .idle
    }

    /// It is the exchange's turn to decode; whether it can.
    mutating func takeTurn() -> Bool {
        guard decoding == .queued else { return false }
        decoding = .waiting
        return !isFull
    }

    /// It was the exchange's turn, but the next step takes too long.
    mutating func sendAway() {
        decoding = .away
    }

    /// The long step is done.
    package mutating func comeBack() {
        decoding = .waiting
    }

    /// The response is complete, as far as its connection goes.
    mutating func end() {
        source = .ended
    }

    /// What follows.
    package mutating func advance() -> Step {
        switch (decoding, source) {
        case (.idle, .ended): return .finish
        case (.idle, .paused) where !isFull:
            source = .open
            return .resume
        case (.waiting, _) where !isFull:
            decoding = .queued
            return .queue
        case (.idle, _), (.waiting, _), (.queued, _), (.away, _): return .wait
        }
    }
}
#endif
