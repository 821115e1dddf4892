/// Compresses messages (RFC 7692 section 7.2.1). What it remembers of one may shorten the next.
package protocol MessageCompressor: AnyObject {
    /// The content of a message as it is sent; nil where it cannot be compressed and goes as it is.
    func compress(_ message: UnsafeRawBufferPointer) -> [UInt8]?
}

/// Undoes the compression of messages (RFC 7692 section 7.2.2), piece by piece.
package protocol MessageDecompressor: AnyObject {
    /// Takes a piece of a message's content.
    func decompress(
        _ bytes: UnsafeRawBufferPointer, emit: (UnsafeRawBufferPointer) throws(WebSocketFault) -> Void
    ) throws(WebSocketFault)

    /// The message is complete.
    func endMessage(
        emit: (UnsafeRawBufferPointer) throws(WebSocketFault) -> Void
    ) throws(WebSocketFault)
}
