#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitSockets

/// The kernel's figures of a connection when it was closed. They tell whether the server can have read the request.
///
/// libcurl closes a dead connection before it reports the failure, and then the figures are gone (decision 023).
struct ClosedConnection: Equatable {
    var end: godwit_peer_end
    /// Bytes that the peer never acknowledged.
    var unacknowledged: UInt64
    /// The bytes of the request's body that were sent after the head. Only known while the connection closes: libcurl counts from
    /// zero when it sends the request again by itself.
    var body: UInt64
    /// The number of records, of at most 16 KiB, that they were sent in.
    var pieces: UInt64

    /// Whether the peer closed the connection before the head of the request that was sent last had reached it.
    ///
    /// The peer's end of stream acknowledges all that has reached it. If it doesn't acknowledge a byte of the head, it was sent
    /// before the head was complete. TLS adds up to 29 bytes to each record, and an alert at the end.
    ///
    /// - Parameters:
    ///   - isEncrypted: Whether the connection used TLS.
    ///   - message: libcurl's first message about the failure; empty if there is none, or it may be about another connection.
    ///     After the peer's end of stream, reading returns no error and writing a broken pipe; after a mere reset, the first
    ///     error of either names the reset.
    func leftUnread(isEncrypted: Bool, message: String) -> Bool {
        let isEnded =
            end == godwit_end_of_stream
            || end == godwit_end_untold && !message.isEmpty && !Self.namesReset(message)
        return isEnded && unacknowledged > body + (isEncrypted ? pieces * 29 + 31 : 0)
    }

    private static func namesReset(_ message: String) -> Bool {
        message.contains(resetText) || message.contains("errno \(ECONNRESET)")
    }

    /// The system's text, which libcurl quotes.
    private static let resetText = String(cString: strerror(ECONNRESET))
}
#endif
