@testable import GodwitCore
import GodwitTesting
import Testing

/// Messages as the kernel writes them.
enum Netlink {
    static let (up, running, loopback): (UInt32, UInt32, UInt32) = (0x1, 0x40, 0x8)

    static func message(_ kind: UInt16, flags: UInt16 = 2, _ payload: [UInt8]) -> [UInt8] {
        let length = 16 + payload.count
        var message = bytes(UInt32(length))
        message += bytes(kind)
        message += bytes(flags)
        message += bytes(UInt64(0))
        return message + padded(payload)
    }

    static func link(_ index: UInt32, _ name: String, flags: UInt32, hardware: UInt16 = 1, driver: String? = nil)
        -> [UInt8]
    {
        var payload = bytes(UInt16(0)) + bytes(hardware)
        payload += bytes(index) + bytes(flags)
        payload += bytes(UInt32(0))
        payload += attribute(3, Array(name.utf8) + [0])
        // With the bit that says that it holds attributes.
        if let driver { payload += attribute(18 | 0x8000, attribute(1, Array(driver.utf8) + [0])) }
        return message(16, payload)
    }

    static func address(_ link: UInt32, scope: UInt8 = 0, flags: UInt32 = 0x80) -> [UInt8] {
        var payload: [UInt8] = [2, 24, 0, scope]
        payload += bytes(link)
        payload += attribute(1, [192, 0, 2, 1])
        payload += attribute(8, bytes(flags))
        return message(20, payload)
    }

    static func route(_ link: UInt32, metric: UInt32 = 0, length: UInt8 = 0, type: UInt8 = 1) -> [UInt8] {
        var payload: [UInt8] = [2, length, 0, 0, 254, 3, 0, type, 0, 0, 0, 0]
        payload += attribute(4, bytes(link))
        payload += attribute(6, bytes(metric))
        return message(24, payload)
    }

    static func manyHops(_ links: [UInt32]) -> [UInt8] {
        var hops: [UInt8] = []
        for link in links { hops += bytes(UInt16(8)) + [0, 0] + bytes(link) }
        return message(24, [2, 0, 0, 0, 254, 3, 0, 1, 0, 0, 0, 0] + attribute(9, hops))
    }

    static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        var whole = bytes(UInt16(4 + value.count))
        whole += bytes(type)
        return padded(whole + value)
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    static func path(_ dump: [[UInt8]]) -> NetworkPath {
        var table = NetworkTable()
        for message in NetlinkMessage.all(in: Array(dump.joined())) { table.add(message) }
        return table.path { InterfaceKind(name: $0, hardware: $1, driver: $2, traits: $0 == "wlan0" ? .wireless : []) }
    }
}

@Suite("O1 the kernel's tables")
struct NetworkTableTests {
    static let running = Netlink.up | Netlink.running
    private static let lo = Netlink.link(1, "lo", flags: running | Netlink.loopback, hardware: 772)
    private static let eth0 = Netlink.link(2, "eth0", flags: running)
    private static let wlan0 = Netlink.link(3, "wlan0", flags: running)
    private static let wwan0 = Netlink.link(4, "wwan0", flags: running, hardware: 65_534)
    private static let tunnel = Netlink.link(5, "wg0", flags: running, hardware: 65_534, driver: "wireguard")

    @Test(
        "O1 the path follows from links, addresses and default routes",
        arguments: scenes)
    func path(dump: [[UInt8]], expected: String) {
        #expect(Netlink.path(dump).description == expected)
    }

    private static let scenes: [([[UInt8]], String)] =
        [
            ([], "unsatisfied"), ([lo, Netlink.address(1, scope: 254), Netlink.address(1)], "unsatisfied"),
            ([lo, eth0], "unsatisfied"), ([eth0, Netlink.address(2)], "satisfied: wired"),
            ([eth0, Netlink.route(2)], "satisfied: wired"),
            // Link-local, tentative and failed addresses lead nowhere.
            ([eth0, Netlink.address(2, scope: 253)], "unsatisfied"),
            ([eth0, Netlink.address(2, flags: 0x40)], "unsatisfied"),
            ([eth0, Netlink.address(2, flags: 0x08)], "unsatisfied"),
            // Up without a carrier, and a carrier without being up.
            ([Netlink.link(2, "eth0", flags: Netlink.up), Netlink.route(2)], "unsatisfied"),
            ([Netlink.link(2, "eth0", flags: Netlink.running), Netlink.route(2)], "unsatisfied"),
            // A route to a net, and one that drops, are no way out.
            ([eth0, Netlink.route(2, length: 24)], "unsatisfied"), ([eth0, Netlink.route(2, type: 7)], "unsatisfied"),
            // The lowest metric is preferred; an address alone comes last.
            (
                [eth0, wlan0, Netlink.route(2, metric: 600), Netlink.route(3, metric: 100)],
                "satisfied: wifi, wired"
            ),
            ([eth0, wlan0, Netlink.address(2), Netlink.route(3)], "satisfied: wifi, wired"),
            ([eth0, wlan0, Netlink.manyHops([3, 2])], "satisfied: wired, wifi"),
            ([wwan0, Netlink.route(4)], "satisfied: cellular (expensive)"),
            (
                [wwan0, tunnel, Netlink.route(5), Netlink.route(4, metric: 9)],
                "satisfied: tunnel, cellular (expensive)"
            ),
            // A bridge to this machine's containers is no network; one that has the default route is.
            ([Netlink.link(6, "docker0", flags: running, driver: "bridge"), Netlink.address(6)], "unsatisfied"),
            ([Netlink.link(6, "br0", flags: running, driver: "bridge"), Netlink.route(6)], "satisfied: wired"),
            ([Netlink.route(9)], "unsatisfied"),
        ]

    @Test("O1 a truncated or random datagram is read as far as possible")
    func noise() {
        let messages: [[UInt8]] = [Self.eth0, Self.tunnel, Netlink.address(2), Netlink.manyHops([2, 3])]
        let whole = Array(messages.joined())
        for length in whole.indices { _ = Netlink.path([Array(whole.prefix(length))]) }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<5000 {
            var noisy = whole
            for _ in 0..<4 {
                noisy[Int.random(in: noisy.indices, using: &generator)] = .random(in: 0 ... .max, using: &generator)
            }
            _ = Netlink.path([noisy])
        }
        #expect(Netlink.path([whole]).interfaces == [.wired])
        #expect(NetlinkMessage.all(in: Array(whole.prefix(40))).isEmpty)
    }

    @Test(
        "O1 only announcements that can change the path count",
        arguments: [
            (Netlink.route(2, length: 24), false), (Netlink.route(2), true), (Netlink.eth(down: true), true),
            (Netlink.address(2), true), (Netlink.message(99, []), false),
        ])
    func concerns(message: [UInt8], isConcern: Bool) throws {
        let read = try #require(NetlinkMessage.all(in: message).first)
        #expect(NetworkTable.concerns(read) == isConcern)
    }

    @Test(
        "O1 kinds of interface",
        arguments: [
            ("eth0", 1, nil, LinkTraits(), InterfaceKind.wired), ("wlp3s0", 1, nil, .wireless, .wifi),
            ("wwan0", 65_534, nil, [], .cellular), ("rmnet0", 519, nil, [], .cellular),
            ("usb0", 1, nil, .mobile, .cellular), ("tun0", 65_534, "tun", .tunnel, .tunnel),
            ("tap0", 1, nil, .tunnel, .tunnel), ("wg0", 65_534, "wireguard", [], .tunnel),
            ("veth0", 1, "veth", [], .wired), ("lo", 772, nil, [], .loopback), ("ppp0", 512, nil, [], .other),
            ("sit0", 776, "sit", [], .tunnel),
        ] as [(String, UInt16, String?, LinkTraits, InterfaceKind)])
    func kinds(name: String, hardware: UInt16, driver: String?, traits: LinkTraits, kind: InterfaceKind) {
        #expect(InterfaceKind(name: name, hardware: hardware, driver: driver, traits: traits) == kind)
    }
}

extension Netlink {
    static func eth(down: Bool) -> [UInt8] {
        message(17, Array(link(2, "eth0", flags: down ? 0 : up).dropFirst(16)))
    }
}
