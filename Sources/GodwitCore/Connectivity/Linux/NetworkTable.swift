/// The kernel's links, addresses and default routes at one moment, from a dump, and the resulting path.
///
/// Announcements don't update a table; they are a reason to make a new one, because IPv4 routes vanish with their link
/// without an announcement.
struct NetworkTable: Sendable {
    /// An interface.
    struct Link: Sendable {
        let name: String
        let flags: UInt32
        /// The hardware type (ARPHRD).
        let hardware: UInt16
        /// The driver's kind, such as `wireguard`; `nil` for hardware.
        let driver: String?
    }

    /// A default route.
    struct Route: Sendable {
        let link: UInt32
        /// Lower is preferred.
        let metric: UInt32
    }

    private var links: [UInt32: Link] = [:]
    private var addressedLinks: Set<UInt32> = []
    private var defaultRoutes: [Route] = []

    init() {}

    /// Adds a message of a dump.
    mutating func add(_ message: NetlinkMessage) {
        switch message.kind {
        case .newLink: addLink(message.payload)
        case .newAddress: addAddress(message.payload)
        case .newRoute: addRoute(message.payload)
        default: break
        }
    }

    /// Whether an announcement can change the path: all except those of other than default routes.
    static func concerns(_ message: NetlinkMessage) -> Bool {
        switch message.kind {
        case .newRoute, .deletedRoute: message.payload.uint8(at: 1) == 0
        default: message.kind != nil
        }
    }

    /// The path, with the preferred link first.
    ///
    /// A link counts if it is up and running, and has a default route or a global address. A bridge without a default
    /// route doesn't count, as it connects this machine's containers.
    ///
    /// - Parameter kind: Returns the kind of a link.
    func path(kind: (_ name: String, _ hardware: UInt16, _ driver: String?) -> InterfaceKind) -> NetworkPath {
        let routed = defaultRoutes.sorted { ($0.metric, $0.link) < ($1.metric, $1.link) }.map(\.link)
        let addressed = addressedLinks.filter { links[$0]?.driver != "bridge" }.sorted()
        var kinds: [InterfaceKind] = []
        for index in routed + addressed {
            guard let link = links[index], link.isRunning else { continue }
            let kind = kind(link.name, link.hardware, link.driver)
            if kind != .loopback, !kinds.contains(kind) { kinds.append(kind) }
        }
        var path = NetworkPath(status: kinds.isEmpty ? .unsatisfied : .satisfied, interfaces: kinds)
        path.isExpensive = path.isCellular
        return path
    }

    /// struct ifinfomsg and its attributes.
    private mutating func addLink(_ payload: NetlinkBytes) {
        let (nameType, infoType, infoKind): (UInt16, UInt16, UInt16) = (3, 18, 1)
        guard let hardware = payload.uint16(at: 2), let index = payload.uint32(at: 4),
            let flags = payload.uint32(at: 8)
        else { return }
        var name = ""
        var driver: String?
        for (type, value) in payload.attributes(after: 16) {
            if type == nameType { name = value.text }
            if type == infoType { driver = value.attributes(after: 0).first { $0.type == infoKind }?.value.text }
        }
        links[index] = Link(name: name, flags: flags, hardware: hardware, driver: driver)
    }

    /// struct ifaddrmsg: only global addresses that have passed duplicate detection.
    private mutating func addAddress(_ payload: NetlinkBytes) {
        let flagsType: UInt16 = 8
        let (failed, tentative): (UInt32, UInt32) = (0x08, 0x40)
        guard let shortFlags = payload.uint8(at: 2), payload.uint8(at: 3) == 0, let index = payload.uint32(at: 4)
        else { return }
        let flags = payload.attributes(after: 8).first { $0.type == flagsType }?.value.uint32(at: 0)
        guard (flags ?? UInt32(shortFlags)) & (failed | tentative) == 0 else { return }
        addressedLinks.insert(index)
    }

    /// struct rtmsg: only unicast default routes.
    private mutating func addRoute(_ payload: NetlinkBytes) {
        let (linkType, metricType, hopsType): (UInt16, UInt16, UInt16) = (4, 6, 9)
        let unicast: UInt8 = 1
        guard payload.uint8(at: 1) == 0, payload.uint8(at: 7) == unicast else { return }
        var metric: UInt32 = 0
        var links: [UInt32] = []
        for (type, value) in payload.attributes(after: 12) {
            if type == linkType, let link = value.uint32(at: 0) { links.append(link) }
            if type == metricType { metric = value.uint32(at: 0) ?? 0 }
            if type == hopsType { links += Self.hops(value) }
        }
        defaultRoutes += links.map { Route(link: $0, metric: metric) }
    }

    /// The links of a route with several next hops (struct rtnexthop).
    private static func hops(_ value: NetlinkBytes) -> [UInt32] {
        var links: [UInt32] = []
        var rest = value
        while let length = rest.uint16(at: 0).map(Int.init), length >= 8, length <= rest.count,
            let link = rest.uint32(at: 4)
        {
            links.append(link)
            rest = rest.dropping(NetlinkBytes.aligned(length))
        }
        return links
    }
}

extension NetworkTable.Link {
    /// Whether it is up and has a carrier (IFF_UP, IFF_RUNNING), and is not loopback (IFF_LOOPBACK).
    fileprivate var isRunning: Bool {
        flags & 0x1 != 0 && flags & 0x40 != 0 && flags & 0x8 == 0
    }
}
