/// Where a response body goes.
///
/// ```swift
/// let request = HTTPRequest(url: url, delivery: .file(destination))
/// ```
public enum Delivery: Sendable {
    /// Into memory; the response returns when the body is complete. A body of more bytes than the limit throws
    /// `.tooLarge`.
    case buffered(limit: Int)

    /// To the caller as it arrives; the response returns when its head is in. A slow reader slows the server.
    case streamed

    /// Straight into the file at this URL, which is created or replaced; the response returns when the file is
    /// complete. Only a successful (2xx) body is written: any other is small, and buffered so that it can be read.
    case file(URL)

    /// Into memory, with the default limit of 64 MiB.
    public static let buffered = Delivery.buffered(limit: defaultBufferLimit)

    /// 64 MiB.
    package static let defaultBufferLimit = 64 << 20
}
