#if os(Linux)
import GodwitLibc

/// A socket to the kernel's routing tables (rtnetlink(7)).
///
/// The constants are from linux/netlink.h and linux/rtnetlink.h, which the C library's module doesn't include.
final class NetlinkSocket: Sendable {
    enum Purpose {
        case requests
        /// Announcements of links, addresses and routes of both families.
        case announcements

        var groups: UInt32 { self == .requests ? 0 : 0x1 | 0x10 | 0x40 | 0x100 | 0x400 }
    }

    /// The result of a read.
    enum Received {
        case messages([NetlinkMessage])
        /// Announcements were lost, as there were more than the socket can hold.
        case overflow
        /// No data is available, or arrives within the time limit.
        case nothing
        case failure
    }

    private static let family: Int32 = 16
    private static let addressSize = 12
    private static let bufferSize = 64 << 10
    private static let maximumDumps = 4

    let descriptor: Int32

    /// `nil` if the system refuses the socket.
    init?(_ purpose: Purpose) {
        let (raw, closeOnExec): (Int32, Int32) = (3, 0o2_000_000)
        descriptor = socket(Self.family, raw | closeOnExec, 0)
        guard descriptor >= 0, bind(to: purpose.groups), setTimeLimit() else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The current state of the kernel; `nil` if it doesn't respond.
    static func table() -> NetworkTable? {
        for number in 1...maximumDumps {
            guard let socket = NetlinkSocket(.requests), let (table, isConsistent) = socket.dump() else { return nil }
            // After constant changes, an inconsistent table is good enough, as an announcement follows.
            if isConsistent || number == maximumDumps { return table }
        }
        return nil
    }

    /// Reads one datagram.
    ///
    /// - Parameter flags: Flags such as `MSG_DONTWAIT`.
    func read(flags: Int32 = 0) -> Received {
        var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
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
        // Ignores datagrams from other processes: the port of the kernel is 0.
        guard NetlinkBytes(address[...]).uint32(at: 4) == 0 else { return .messages([]) }
        return .messages(NetlinkMessage.all(in: Array(buffer.prefix(count))))
    }

    private func dump() -> (NetworkTable, isConsistent: Bool)? {
        var table = NetworkTable()
        var isConsistent = true
        for (sequence, kind) in [NetlinkMessage.Kind.getLink, .getAddress, .getRoute].enumerated() {
            guard send(NetlinkMessage.dumpRequest(kind, sequence: UInt32(sequence + 1))) else { return nil }
            var isDone = false
            while !isDone {
                guard case .messages(let messages) = read() else { return nil }
                for message in messages {
                    if message.kind == .error { return nil }
                    isDone = isDone || message.kind == .done
                    isConsistent = isConsistent && !message.isInterrupted
                    table.add(message)
                }
            }
        }
        return (table, isConsistent)
    }

    private func send(_ request: [UInt8]) -> Bool {
        request.withUnsafeBytes { GodwitLibc.send(descriptor, $0.baseAddress, $0.count, 0) } == request.count
    }

    /// Binds to a port that the kernel assigns (struct sockaddr_nl).
    private func bind(to groups: UInt32) -> Bool {
        var address: [UInt8] = []
        withUnsafeBytes(of: UInt16(Self.family)) { address += $0 }
        address += [0, 0, 0, 0, 0, 0]
        withUnsafeBytes(of: groups) { address += $0 }
        return address.withUnsafeBytes { bytes in
            guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return GodwitLibc.bind(descriptor, pointer, socklen_t(bytes.count)) == 0
        }
    }

    /// Prevents a read from blocking forever.
    private func setTimeLimit() -> Bool {
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        return setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size)) == 0
    }
}
#endif
