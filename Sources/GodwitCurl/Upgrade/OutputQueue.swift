#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// Bytes that wait until the system takes them, with what to call then.
struct OutputQueue {
    typealias Completion = @Sendable (NetworkError?) -> Void

    private var pieces: [(bytes: [UInt8], completion: Completion)] = []
    private var first = 0
    /// How much of the first piece the system has.
    private var sent = 0

    var count: Int { pieces.count - first }
    var isEmpty: Bool { count == 0 }

    /// - Parameter sent: How much of the bytes the system has already; only of the first piece.
    mutating func append(_ bytes: [UInt8], from sent: Int = 0, _ completion: @escaping Completion) {
        if isEmpty { self.sent = sent }
        pieces.append((bytes, completion))
    }

    /// Sends what the system takes. Returns `CURLE_OK`, `CURLE_AGAIN` if some is left, or what went wrong.
    mutating func drain(
        _ send: (UnsafeRawBufferPointer) -> (CURLcode, count: Int)
    ) -> (CURLcode, isEmpty: Bool) {
        while first < pieces.count {
            let bytes = pieces[first].bytes
            while sent < bytes.count {
                let (code, count) = bytes.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
                guard code == CURLE_OK else { return (code, false) }
                sent += count
            }
            removeFirst()(nil)
        }
        return (CURLE_OK, true)
    }

    /// Fails everything that was not sent.
    mutating func fail(_ error: NetworkError) {
        while !isEmpty { removeFirst()(error) }
    }

    private mutating func removeFirst() -> Completion {
        let completion = pieces[first].completion
        pieces[first].bytes = []
        first += 1
        sent = 0
        if first == pieces.count {
            pieces.removeAll(keepingCapacity: pieces.capacity < 64)
            first = 0
        }
        return completion
    }
}
#endif
