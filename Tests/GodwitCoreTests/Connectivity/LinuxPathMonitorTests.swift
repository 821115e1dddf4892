#if os(Linux)
import GodwitCore
import GodwitTesting
import Testing

@Suite("O1 the path of a Linux machine")
struct LinuxPathMonitorTests {
    @Test("O1 this machine's path is known at once, and letting go of the monitor ends its sequences")
    func lifetime() async throws {
        let feed: NetworkPaths
        do {
            let monitor = try LinuxPathMonitor { $0.isConstrained = true }
            #expect(monitor.current.isConstrained)
            feed = monitor.paths
        }
        // The sequence alone keeps the monitor running.
        var paths = feed.makeAsyncIterator()
        #expect(await paths.next()?.isConstrained == true)
    }

    @Test("O1 many monitors come and go without leaving descriptors behind")
    func descriptors() async throws {
        let before = try Self.descriptorCount()
        for _ in 0..<50 { _ = try LinuxPathMonitor() }
        // Their threads end on their own.
        for _ in 0..<100_000 where try Self.descriptorCount() > before + 20 { await Task.yield() }
        #expect(try Self.descriptorCount() <= before + 20)
    }

    private static func descriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    @Test(
        "O1 links that go down and up in a real namespace are seen",
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
        "O1 more announcements than the socket holds lose nothing",
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
