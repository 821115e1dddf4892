import GodwitLibc

extension Descriptor {
    /// Sends all bytes through a blocking socket. A closed connection is an error, not a signal.
    public static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        whole(bytes) { part, _ in systemSend(descriptor, part.baseAddress, part.count, StreamSocket.sendFlags) }
    }
}

// The C function, which the method shadows.
private let systemSend: @Sendable (Int32, UnsafeRawPointer?, Int, Int32) -> Int = { send($0, $1, $2, $3) }
