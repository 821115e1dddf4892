#if os(Linux)
/// What a TLS session reads from and writes to: a socket, or another TLS session.
package protocol TLSCarrier: AnyObject {
    /// Bytes received into the buffer, 0 at the end of stream, or an `errno` below zero (`-EAGAIN`: nothing yet).
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int

    /// Bytes taken, or an `errno` below zero (`-EAGAIN`: nothing now). Never raises SIGPIPE.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int
}
#endif
