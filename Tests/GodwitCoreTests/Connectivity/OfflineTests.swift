#if os(Linux)
import GodwitCore
import Testing

@Suite("O1 a machine without a network", .timeLimit(.minutes(15)))
struct OfflineTests {
    private func lines(_ count: Int, of shell: NamespaceShell) async -> [String: String] {
        var found: [String: String] = [:]
        for _ in 0..<count {
            guard let line = await shell.line(), let colon = line.firstRange(of: ": ") else { break }
            found[String(line[..<colon.lowerBound])] = String(line[colon.upperBound...])
        }
        return found
    }

    @Test(
        "O1 M8 without a network, every kind of request is offline immediately, except to this machine",
        .enabled(if: NamespaceShell.isPossible, "network namespaces need root, unshare and ip"))
    func namespace() async throws {
        let shell = try NamespaceShell()
        let probe = try #require(NamespaceShell.probe)
        shell.run("ip link set lo up")
        shell.run("\(probe) --send &")
        // Not tried again: a network seldom comes within a second.
        let offline = "offline (1)"
        let outcomes = await lines(9, of: shell)
        #expect(
            outcomes == [
                "name": offline, "v4": offline, "v6": offline, "warm-up": offline, "socket": offline,
                "events": offline, "download": offline, "loopback": "ok",
                "refused": "transport.cannot_connect (3)",
            ])
    }
}
#endif
