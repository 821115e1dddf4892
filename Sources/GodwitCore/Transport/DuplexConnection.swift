/// Bytes in both directions, over whatever a transport connects by: what is left of an exchange that switched protocols.
///
/// Letting go of it before ``start(_:)`` closes it.
public protocol DuplexConnection: Sendable {
    /// Begins to hand what arrives to a receiver, which is kept until the end. Called once.
    func start(_ receiver: any DuplexReceiver)

    /// Goes on after the receiver asked to wait.
    func resumeReading()

    /// Sends bytes behind those that were given before.
    ///
    /// - Parameter completion: Called once, on any thread: with nil after the bytes were handed to the system, and then
    ///   never before this returns; or with what went wrong, which may be at once.
    func write(_ bytes: [UInt8], completion: @escaping @Sendable (NetworkError?) -> Void)

    /// Closes the connection at once. Bytes that the system has are still sent; calling it again does no harm.
    func close()
}

/// What takes the bytes of a ``DuplexConnection``. Called on the transport's thread, one call at a time: return quickly.
public protocol DuplexReceiver: AnyObject, Sendable {
    /// Takes bytes, which are gone when this returns; false for no more until ``DuplexConnection/resumeReading()``.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// No more will come: the peer closed its side, or with an error, the connection broke. The last call.
    func receiveEnd(_ error: NetworkError?)
}
