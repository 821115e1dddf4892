#if os(Linux)
import GodwitCore
import GodwitTesting
import Testing

@Suite("O1 the path of a Linux machine", .timeLimit(.minutes(15)))
struct LinuxPathMonitorTests {
    @Test("O1 this machine's path is available immediately, adjusted, and a sequence keeps its monitor running")
    func lifetime() async throws {
        let sequence: NetworkPaths
        do {
            let monitor = try LinuxPathMonitor { $0.isConstrained = true }
            #expect(monitor.current.isConstrained)
            sequence = monitor.paths
        }
        var paths = sequence.makeAsyncIterator()
        #expect(await paths.next()?.isConstrained == true)
    }

    @Test("O1 many monitors come and go without leaving sockets behind")
    func sockets() async throws {
        // Resolvers open such sockets too, a few at a time.
        let others = 25
        let before = try Self.routeSocketCount()
        for _ in 0..<50 { _ = try LinuxPathMonitor() }
        // Their threads end on their own.
        var looks = 0
        while try Self.routeSocketCount() > before + others, looks < 20_000 {
            looks += 1
            await Task.yield()
        }
        #expect(looks < 20_000)
    }

    /// How many sockets of this process are open to the kernel's routing tables.
    private static func routeSocketCount() throws -> Int {
        let table = String(decoding: try Data(contentsOf: URL(filePath: "/proc/self/net/netlink")), as: UTF8.self)
        let rows = table.split(separator: "\n").map { $0.split(separator: " ") }
        let inodes = Set(rows.filter { $0.count > 9 && $0[1] == "0" }.map { "socket:[\($0[9])]" })
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")).map(inodes.contains)
                ?? false
        }
    }

    @Test(
        "O1 links that go down and up in a real namespace are reported",
        .enabled(if: NamespaceShell.isPossible, "network namespaces need root, unshare and ip"))
    func namespace() async throws {
        let shell = try NamespaceShell()
        let probe = try #require(NamespaceShell.probe)
        shell.run("\(probe) &")
        #expect(await shell.line() == "unsatisfied")
        shell.run("ip link set lo up")
        shell.run(
            "ip link add near type veth peer name far && ip addr add 192.0.2.1/24 dev near && ip link set near up")
        shell.run("ip link set far up")
        #expect(await shell.line(as: "satisfied: wired") == "satisfied: wired")
        for _ in 0..<3 {
            // The other end goes: the carrier is lost.
            shell.run("ip link set far down")
            #expect(await shell.line(as: "unsatisfied") == "unsatisfied")
            shell.run("ip link set far up")
            #expect(await shell.line(as: "satisfied: wired") == "satisfied: wired")
        }
        shell.run("ip addr del 192.0.2.1/24 dev near; ip addr flush dev near")
        #expect(await shell.line(as: "unsatisfied") == "unsatisfied")
        // A default route alone is a path too, and its metric orders the kinds.
        shell.run("ip addr add 192.0.2.1/32 dev near scope link && ip route add default dev near metric 50")
        #expect(await shell.line(as: "satisfied: wired") == "satisfied: wired")
        shell.run("ip link add wwan0 type veth peer name sky && ip link set wwan0 up && ip link set sky up")
        shell.run("ip route add default dev wwan0 metric 10")
        #expect(
            await shell.line(as: "satisfied: cellular, wired (expensive)") == "satisfied: cellular, wired (expensive)")
        shell.run("ip link del wwan0")
        #expect(await shell.line(as: "satisfied: wired") == "satisfied: wired")
    }

    @Test(
        "O3 a request waits in a real namespace until a link comes up",
        .enabled(if: NamespaceShell.isPossible, "network namespaces need root, unshare and ip"))
    func waiting() async throws {
        let shell = try NamespaceShell()
        let probe = try #require(NamespaceShell.probe)
        shell.run(
            "ip link add near type veth peer name far && ip addr add 192.0.2.1/24 dev near && ip link set near up")
        shell.run("\(probe) --wait &")
        #expect(await shell.line() == "waiting")
        shell.run("ip link set far up")
        #expect(await shell.line() == "answered 200")
    }

    @Test(
        "O1 no change is lost if the socket overflows",
        .enabled(if: NamespaceShell.isPossible, "network namespaces need root, unshare and ip"))
    func overflow() async throws {
        let shell = try NamespaceShell()
        let probe = try #require(NamespaceShell.probe)
        shell.run("\(probe) & probe=$!")
        #expect(await shell.line() == "unsatisfied")
        // While the probe stands still, its socket's 208 KiB fill up and the kernel drops the rest.
        shell.run(
            "kill -STOP $probe; ip link add near type veth peer name far; ip link set near up; ip link set far up")
        shell.run(
            "for i in $(seq 1 250); do for j in 1 2 3 4; do echo \"addr add 198.51.$j.$i/32 dev near\"; done; done"
                + " | ip -batch -; ip addr flush dev near; ip addr add 192.0.2.1/24 dev near; kill -CONT $probe")
        #expect(await shell.line(as: "satisfied: wired") == "satisfied: wired")
    }
}
#endif
