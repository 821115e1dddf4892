import CGodwitCurl
import Glibc

/// What the kernel knew about a connection when it was closed.
///
/// libcurl closes a connection that turned out to be dead before it says so, and what the kernel knows then is gone. It tells
/// whether the server can have read anything.
struct ClosedConnection: Equatable {
    /// Whether the peer ended its side, and did not merely reset the connection.
    var isEndedByPeer: Bool
    /// Whether it was reset, and only libcurl knows whether the peer had ended its side before.
    var isReset = false
    /// Bytes that the peer never acknowledged.
    var unacknowledged: UInt64
    /// Whether it served one exchange after the other, so that the last bytes are those of one request.
    var isSerial: Bool

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
