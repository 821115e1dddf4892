#if os(Linux)
import CGodwitCurl
import GodwitSockets

/// What comes in for exchanges: the HTTP/2 streams by which nghttp2 knows them, and bytes that wait for their turn.
struct Streams {
    /// Whether nghttp2 knows a stream by its handle.
    private let areNamedByHandle: Bool
    /// The exchange whose request libcurl sends next.
    private var sending: Exchange?
    /// The exchanges by what nghttp2 knows their streams by. Never read through.
    private var byName: [UnsafeRawPointer: Exchange] = [:]
    /// Handles in the middle of a large head.
    private var largeHeads: [EasyHandle] = []
    /// Exchanges with received bytes that are to be decoded in turn.
    private var undecoded = Line<Exchange>()
    /// Exchanges with received bytes that wait to be handed to their readers at the end of the turn.
    private var unflushed: [Exchange] = []

    init(areNamedByHandle: Bool) {
        self.areNamedByHandle = areNamedByHandle
    }

    // MARK: HTTP/2

    /// The exchange's stream is the next that libcurl makes.
    mutating func sends(_ exchange: Exchange) {
        guard !areNamedByHandle else { return }
        forget(exchange)
        sending = exchange
    }

    /// libcurl makes a stream with this name, which may have been another's that ended with its connection.
    mutating func begins(_ stream: UnsafeRawPointer) {
        byName.removeValue(forKey: stream)?.stream = nil
        guard let exchange = sending.take() else { return }
        byName[stream] = exchange
        exchange.stream = stream
    }

    /// The exchange of a stream that ended. Searches for it, as it may belong to another user of libcurl. This is rare.
    func exchange(of stream: UnsafeRawPointer, in active: [Exchange]) -> Exchange? {
        guard areNamedByHandle else { return byName[stream] }
        return active.first { $0.handle.map { UnsafeRawPointer($0.pointer) } == stream }
    }

    /// An exchange is over, or starts again.
    mutating func forget(_ exchange: Exchange) {
        if sending === exchange { sending = nil }
        guard let stream = exchange.stream else { return }
        exchange.stream = nil
        byName[stream] = nil
    }

    // MARK: Heads

    mutating func noteLargeHead(of handle: EasyHandle) {
        if largeHeads.last !== handle { largeHeads.append(handle) }
    }

    /// libcurl 7.88 hands over 16 KiB of an HTTP/2 head, the size of its buffer, and the rest only at the next event of the
    /// socket, which may never come.
    mutating func takeLargeHeads() -> [EasyHandle] {
        if largeHeads.isEmpty { return [] }
        defer { largeHeads.removeAll(keepingCapacity: true) }
        return largeHeads
    }

    // MARK: Bodies

    /// Whether bytes wait to be decoded.
    var hasUndecoded: Bool { !undecoded.isEmpty }

    mutating func noteUndecoded(_ exchange: Exchange) {
        undecoded.append(exchange)
    }

    mutating func nextUndecoded() -> Exchange? { undecoded.popFirst() }

    mutating func noteUnflushed(_ exchange: Exchange) {
        unflushed.append(exchange)
    }

    mutating func takeUnflushed() -> [Exchange] {
        if unflushed.isEmpty { return [] }
        defer { unflushed.removeAll(keepingCapacity: true) }
        return unflushed
    }
}
#endif
