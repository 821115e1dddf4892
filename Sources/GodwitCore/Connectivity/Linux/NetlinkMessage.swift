/// One message of rtnetlink (rtnetlink(7)), read with every length checked.
///
/// The kernel's structures are in the machine's byte order and aligned to four bytes.
package struct NetlinkMessage: Sendable {
    /// What a message is; raw values of linux/netlink.h and linux/rtnetlink.h.
    package enum Kind: UInt16, Sendable {
        case error = 2
        case done = 3
        case newLink = 16
        case deletedLink = 17
        case getLink = 18
        case newAddress = 20
        case deletedAddress = 21
        case getAddress = 22
        case newRoute = 24
        case deletedRoute = 25
        case getRoute = 26
    }

    private static let headerSize = 16

    /// Nil for kinds that are of no interest.
    package let kind: Kind?
    package let flags: UInt16
    package let payload: NetlinkBytes

    /// The messages of a datagram; what is cut off or contradicts its lengths ends the list.
    package static func all(in datagram: [UInt8]) -> [NetlinkMessage] {
        var messages: [NetlinkMessage] = []
        var rest = NetlinkBytes(datagram[...])
        while let length = rest.uint32(at: 0).map(Int.init), let kind = rest.uint16(at: 4),
            let flags = rest.uint16(at: 6), length >= headerSize, length <= rest.count
        {
            messages.append(
                NetlinkMessage(kind: Kind(rawValue: kind), flags: flags, payload: rest.slice(headerSize..<length)))
            rest = rest.dropping(NetlinkBytes.aligned(length))
        }
        return messages
    }

    /// A request for everything of one kind: a header and an empty structure of its family.
    package static func dumpRequest(_ kind: Kind, sequence: UInt32) -> [UInt8] {
        let requestAndDump: UInt16 = 0x0001 | 0x0300
        let size = headerSize + 16
        var bytes: [UInt8] = []
        withUnsafeBytes(of: UInt32(size)) { bytes += $0 }
        withUnsafeBytes(of: kind.rawValue) { bytes += $0 }
        withUnsafeBytes(of: requestAndDump) { bytes += $0 }
        withUnsafeBytes(of: sequence) { bytes += $0 }
        return bytes + [UInt8](repeating: 0, count: size - bytes.count)
    }

    /// Whether a dump was disturbed by a change, so that it may be inconsistent (NLM_F_DUMP_INTR).
    package var isInterrupted: Bool { flags & 0x10 != 0 }
}
