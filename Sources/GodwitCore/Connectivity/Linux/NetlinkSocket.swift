#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A socket to the kernel's routing tables (rtnetlink(7)).
///
/// The constants are those of linux/netlink.h and linux/rtnetlink.h, which the C library's module leaves out.
final class NetlinkSocket {
    /// What a socket is told of without asking.
    enum Purpose {
        case asking
        /// Links, addresses and routes of both families.
        case listening

        var groups: UInt32 { self == .asking ? 0 : 0x1 | 0x10 | 0x40 | 0x100 | 0x400 }
    }

    /// What a reading gave.
    enum Received {
        case messages([NetlinkMessage])
        /// Announcements were lost: there were more than the socket holds.
        case overflow
        /// Nothing is there now, or within the time limit.
        case nothing
        case failure
    }

    private static let family: Int32 = 16
    private static let addressSize = 12
    private static let bufferSize = 64 << 10
    private static let rounds = 4

    let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: bufferSize)

    /// Nil where the system refuses one.
    init?(_ purpose: Purpose) {
        let (raw, closeOnExec): (Int32, Int32) = (3, 0o2_000_000)
        descriptor = socket(Self.family, raw | closeOnExec, 0)
        guard descriptor >= 0, bind(to: purpose.groups), setTimeLimit() else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Everything the kernel knows now; nil where it does not tell.
    static func table() -> NetworkTable? {
        for round in 1...rounds {
            guard let socket = NetlinkSocket(.asking), let (table, isWhole) = socket.dump() else { return nil }
            // Where it changes all the time, a table that may be inconsistent has to do: an announcement follows.
            if isWhole || round == rounds { return table }
        }
        return nil
    }

    /// Takes one datagram.
    ///
    /// - Parameter flags: Such as `MSG_DONTWAIT`.
    func read(flags: Int32 = 0) -> Received {
        var address = [UInt8](repeating: 0, count: Self.addressSize)
        var addressLength = socklen_t(Self.addressSize)
        let count = buffer.withUnsafeMutableBytes { bytes in
            address.withUnsafeMutableBytes { address in
                recvfrom(
                    descriptor, bytes.baseAddress, bytes.count, flags | Int32(MSG_TRUNC),
                    address.baseAddress?.assumingMemoryBound(to: sockaddr.self), &addressLength)
            }
        }
        guard count >= 0 else {
            switch errno {
            case ENOBUFS: return .overflow
            case EAGAIN: return .nothing
            case EINTR: return .messages([])
            default: return .failure
            }
        }
        guard count <= buffer.count else { return .overflow }
        // Only what the kernel itself says; other processes have another port.
        guard NetlinkBytes(address[...]).uint32(at: 4) == 0 else { return .messages([]) }
        return .messages(NetlinkMessage.all(in: Array(buffer.prefix(count))))
    }

    private func dump() -> (NetworkTable, isWhole: Bool)? {
        var table = NetworkTable()
        var isWhole = true
        for (sequence, kind) in [NetlinkMessage.Kind.getLink, .getAddress, .getRoute].enumerated() {
            guard send(NetlinkMessage.dumpRequest(kind, sequence: UInt32(sequence + 1))) else { return nil }
            var isDone = false
            while !isDone {
                guard case .messages(let messages) = read() else { return nil }
                for message in messages {
                    if message.kind == .error { return nil }
                    isDone = isDone || message.kind == .done
                    isWhole = isWhole && !message.isInterrupted
                    table.add(message)
                }
            }
        }
        return (table, isWhole)
    }

    private func send(_ request: [UInt8]) -> Bool {
        request.withUnsafeBytes { systemSend(descriptor, $0.baseAddress, $0.count) } == request.count
    }

    /// Binds to a port of the kernel's choice (struct sockaddr_nl).
    private func bind(to groups: UInt32) -> Bool {
        var address: [UInt8] = []
        withUnsafeBytes(of: UInt16(Self.family)) { address += $0 }
        address += [0, 0, 0, 0, 0, 0]
        withUnsafeBytes(of: groups) { address += $0 }
        return address.withUnsafeBytes { bytes in
            guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return systemBind(descriptor, pointer, socklen_t(bytes.count)) == 0
        }
    }

    /// A kernel that does not answer must not hold up the one who asks.
    private func setTimeLimit() -> Bool {
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        return setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size)) == 0
    }
}

// Under names of their own, as the type's methods are called the same.
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    send(descriptor, bytes, count, 0)
}

private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    bind(descriptor, address, length)
}
#endif
