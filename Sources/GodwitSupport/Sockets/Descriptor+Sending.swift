import GodwitLibc

extension Descriptor {
    /// Sends all bytes through a blocking socket. A closed connection is an error, not a signal.
    public static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        whole(bytes) { part, _ in GodwitLibc.send(descriptor, part.baseAddress, part.count, StreamSocket.sendFlags) }
    }
}
