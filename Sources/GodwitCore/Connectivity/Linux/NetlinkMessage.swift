/// A message of rtnetlink (rtnetlink(7)).
///
/// The kernel's structures are in the machine's byte order, and aligned to four bytes.
struct NetlinkMessage: Sendable {
    /// The kind of a message, from linux/netlink.h and linux/rtnetlink.h.
    enum Kind: UInt16, Sendable {
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

    /// `nil` for other kinds.
    let kind: Kind?
    let flags: UInt16
    let payload: NetlinkBytes

    /// The messages of a datagram, up to a truncated or inconsistent one.
    static func all(in datagram: [UInt8]) -> [NetlinkMessage] {
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

    /// A request for all objects of one kind: a header and an empty structure.
    static func dumpRequest(_ kind: Kind, sequence: UInt32) -> [UInt8] {
        let requestAndDump: UInt16 = 0x0001 | 0x0300
        let size = headerSize + 16
        var bytes: [UInt8] = []
        withUnsafeBytes(of: UInt32(size)) { bytes += $0 }
        withUnsafeBytes(of: kind.rawValue) { bytes += $0 }
        withUnsafeBytes(of: requestAndDump) { bytes += $0 }
        withUnsafeBytes(of: sequence) { bytes += $0 }
        return bytes + [UInt8](repeating: 0, count: size - bytes.count)
    }

    /// Whether a change during the dump may have made it inconsistent (NLM_F_DUMP_INTR).
    var isInterrupted: Bool { flags & 0x10 != 0 }
}

/// Bytes from the kernel. Reading past their end returns `nil`.
struct NetlinkBytes: Sendable {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    func uint8(at offset: Int) -> UInt8? {
        offset < count ? bytes[bytes.startIndex + offset] : nil
    }

    func uint16(at offset: Int) -> UInt16? { value(at: offset) }

    func uint32(at offset: Int) -> UInt32? { value(at: offset) }

    func slice(_ range: Range<Int>) -> NetlinkBytes {
        let start = min(range.lowerBound, count)
        let end = min(max(range.upperBound, start), count)
        return NetlinkBytes(bytes[(bytes.startIndex + start)..<(bytes.startIndex + end)])
    }

    func dropping(_ length: Int) -> NetlinkBytes {
        NetlinkBytes(bytes.dropFirst(length))
    }

    /// The text up to the first NUL.
    var text: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }

    /// The attributes after a structure of this size (struct rtattr).
    func attributes(after size: Int) -> [(type: UInt16, value: NetlinkBytes)] {
        var found: [(UInt16, NetlinkBytes)] = []
        var rest = dropping(Self.aligned(size))
        while let length = rest.uint16(at: 0).map(Int.init), let type = rest.uint16(at: 2), length >= 4,
            length <= rest.count
        {
            // The upper two bits are flags.
            found.append((type & 0x3FFF, rest.slice(4..<length)))
            rest = rest.dropping(Self.aligned(length))
        }
        return found
    }

    static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }

    private func value<Value: FixedWidthInteger>(at offset: Int) -> Value? {
        let size = MemoryLayout<Value>.size
        guard offset + size <= count else { return nil }
        return slice(offset..<(offset + size)).bytes.withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    }
}
