import CGodwitCurl
import Glibc

/// What the kernel knew about connections when they were closed, by their local port.
///
/// libcurl closes a connection that turned out to be dead before it says so, and what the kernel knows then is gone. It tells
/// whether the server can have read anything. Costs nothing per exchange, and two system calls per closed connection.
struct RecentClosings {
    /// One closed connection.
    struct Closing: Equatable {
        /// Whether the peer ended its side, and did not merely reset the connection.
        var isEndedByPeer: Bool
        /// Whether it was reset, and only libcurl knows whether the peer had ended its side before.
        var isReset = false
        /// Bytes that the peer never acknowledged.
        var unacknowledged: UInt64
        /// Whether it served one exchange after the other, so that the last bytes are those of one request.
        var isSerial: Bool
        var time: LoopTime

        /// Whether the peer closed the connection before the head of the request that was sent last had reached it.
        ///
        /// The peer's end of stream acknowledges all that has reached it. If a byte of the head is missing there, it was sent
        /// before the head was whole. TLS adds up to 29 bytes to each record, and an alert at the end.
        ///
        /// - Parameters:
        ///   - body: The bytes of the request's body that were sent after the head.
        ///   - pieces: In how many pieces, each at most one record of 16 KiB long.
        ///   - isEncrypted: Whether the connection used TLS.
        ///   - error: libcurl's first words about what failed. After the peer's end of stream, reading brings no error and
        ///     writing a broken pipe; after a mere reset, the first of either names it.
        func leftUnread(body: UInt64, pieces: UInt64, isEncrypted: Bool, error: String) -> Bool {
            let isEnded = isEndedByPeer || isReset && !Self.namesReset(error)
            guard isEnded, isSerial else { return false }
            return unacknowledged > body + (isEncrypted ? pieces * 29 + 31 : 0)
        }

        private static func namesReset(_ error: String) -> Bool {
            error.contains(resetText) || error.contains("errno \(ECONNRESET)")
        }

        /// In the words of the system, as libcurl quotes them.
        private static let resetText = String(cString: strerror(ECONNRESET))
    }

    private var closings: [Int32: Closing] = [:]
    private static let limit = 4096

    /// Notes a connection that is about to be closed.
    ///
    /// - Parameters:
    ///   - descriptor: Its socket.
    ///   - isSerial: Whether the connection with a local port is known to serve one exchange after the other.
    mutating func note(_ descriptor: Int32, at now: LoopTime, isSerial: (Int32) -> Bool) {
        var end = godwit_connection_end()
        guard godwit_get_connection_end(descriptor, &end) == 0, end.local_port > 0 else { return }
        note(
            Closing(
                isEndedByPeer: end.is_ended_by_peer != 0, isReset: end.is_reset != 0, unacknowledged: end.unacknowledged,
                isSerial: isSerial(end.local_port), time: now), port: end.local_port)
    }

    mutating func note(_ closing: Closing, port: Int32) {
        // Connections to two servers may have one port. Whose closing it was is then not known.
        let isAmbiguous = closings.removeValue(forKey: port) != nil
        guard !isAmbiguous, closing.isEndedByPeer || closing.isReset, closing.unacknowledged > 0 else { return }
        if closings.count >= Self.limit { closings.removeAll(keepingCapacity: true) }
        closings[port] = closing
    }

    /// Takes what is known about the connection that an exchange was sent on; nil if it has not been closed since.
    mutating func take(port: Int32, since time: LoopTime) -> Closing? {
        guard let closing = closings.removeValue(forKey: port), closing.time >= time else { return nil }
        return closing
    }
}
