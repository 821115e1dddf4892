import GodwitCore
import GodwitLibc
import GodwitSupport

/// A connection to another server, through which a proxy passes bytes unseen.
struct Tunnel {
    /// How long connecting to one address may take, in milliseconds.
    private static let patience = Duration.seconds(10)

    private let peer: Socket

    /// Connects to the first address of a host that accepts; `nil` if none does. Blocks meanwhile.
    init?(to host: String, port: UInt16) {
        var hints = addrinfo()
        hints.ai_socktype = StreamSocket.type
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return nil }
        defer { freeaddrinfo(list) }
        var next = list
        while let address = next?.pointee {
            if let descriptor = Self.connected(to: address) {
                peer = Socket(descriptor)
                return
            }
            next = address.ai_next
        }
        return nil
    }

    private static func connected(to address: addrinfo) -> Int32? {
        let descriptor = StreamSocket.open(address.ai_family, isBlocking: false)
        guard descriptor >= 0 else { return nil }
        let result = connect(descriptor, address.ai_addr, address.ai_addrlen)
        if StreamSocket.outcome(ofConnecting: descriptor, result, until: .now + patience) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    /// Passes bytes both ways, until either side ends its connection.
    ///
    /// - Parameter early: What the client has already sent.
    func relay(_ client: any ServerStream, after early: [UInt8]) {
        let peer = peer
        let responses = SystemThread {
            Self.copy(from: peer, to: client)
            client.interrupt()
        }
        if responses != nil, early.isEmpty || peer.write(Data(early)) { Self.copy(from: client, to: peer) }
        peer.interrupt()
        responses?.join()
        peer.close()
    }

    private static func copy(from source: any ServerStream, to target: any ServerStream) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes(source.read)
            guard count > 0, target.write(Data(buffer[..<count])) else { return }
        }
    }
}
