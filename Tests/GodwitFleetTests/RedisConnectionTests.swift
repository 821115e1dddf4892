import Godwit
@testable import GodwitFleet
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Connections to Redis", .enabled(if: RedisPeer.isAvailable, RedisPeer.hint), .timeLimit(.minutes(15)))
struct RedisConnectionTests {
    private let diagnostics = Diagnostics()

    private func fleet(
        _ url: String, name: String = "godwit", authorities: String? = nil, certificate: ClientCertificate? = nil
    ) async throws -> Fleet {
        try await Fleet(redis: url, name: name) {
            $0.diagnostics = diagnostics
            $0.authorities = authorities
            $0.clientCertificate = certificate
        }
    }

    private func isShared(_ fleet: Fleet) -> Bool { if case .shared = fleet.state { true } else { false } }

    @Test("G5 TLS is verified, and a user with few rights is enough")
    func tls() async throws {
        let url = try #require(RedisPeer.variable("GODWIT_TEST_REDIS_TLS"))
        let authority = try #require(RedisPeer.variable("GODWIT_TEST_CA"))
        let fleet = try await fleet(url, name: "acl", authorities: authority)
        #expect(isShared(fleet), "\(fleet.state)")
        let permits = fleet.permits("tls", limit: 1)
        permits.release(try await permits.acquire())
        // Keys outside of the user's pattern are refused.
        #expect(!isShared(try await self.fleet(url, name: "other", authorities: authority)))
        #expect(diagnostics.recent.map(\.problem) == [.noPermission])
    }

    @Test("G5 A certificate of an unknown authority, or of another name, is refused")
    func untrusted() async throws {
        let url = try #require(RedisPeer.variable("GODWIT_TEST_REDIS_TLS"))
        let authority = try #require(RedisPeer.variable("GODWIT_TEST_CA"))
        let unknown = try await fleet(url, name: "acl")
        guard case .local(_, let reason) = unknown.state else { return #expect(Bool(false)) }
        #expect(reason.reason.contains("certificate"), "\(reason)")
        let port = try #require(url.split(separator: ":").last)
        let wrongName = try await fleet(
            "rediss://godwit:feather@127.0.0.2:\(port)", name: "acl", authorities: authority)
        #expect(!isShared(wrongName))
    }

    @Test("G5 A Redis that asks for a client certificate, which is its default, gets it from PEM or PKCS 12")
    func clientCertificate() async throws {
        let authority = try #require(RedisPeer.variable("GODWIT_TEST_CA"))
        let folder = try #require(RedisPeer.variable("GODWIT_TEST_CERTIFICATES"))
        let port = RedisPeer.freePort()
        let redis = try await RedisPeer(
            "--tls-port", "\(port)", "--tls-auth-clients", "yes", "--tls-ca-cert-file", authority,
            "--tls-cert-file", "\(folder)/localhost.pem", "--tls-key-file", "\(folder)/localhost.key")
        func file(_ name: String) -> KeyMaterial { .file(URL(fileURLWithPath: "\(folder)/\(name)")) }
        let url = "rediss://127.0.0.1:\(port)"
        let certificates: [ClientCertificate] = [
            .pem(certificate: file("client.pem"), key: file("client.key")),
            .pem(certificate: file("client.pem"), key: file("client-locked.key"), password: "feather"),
            .pkcs12(file("client.p12"), password: "feather"),
        ]
        for certificate in certificates {
            let fleet = try await fleet(url, authorities: authority, certificate: certificate)
            #expect(isShared(fleet), "\(fleet.state)")
        }
        #expect(diagnostics.recent.isEmpty)
        #expect(!isShared(try await fleet(url, authorities: authority)))
        let wrongPassword = try await fleet(
            url, authorities: authority, certificate: .pkcs12(file("client.p12"), password: "stone"))
        guard case .local(_, let reason) = wrongPassword.state else { return #expect(Bool(false)) }
        #expect(reason.reason == "the client certificate or its key can't be used")
        #expect(try redis.run("PING") == "+PONG\r\n")
    }

    @Test("G5 A sentinel or a node of a cluster that never answers doesn't use the time of the others")
    func deadServers() async throws {
        let silent = try Listener()
        let master = try await RedisPeer()
        let sentinel = try Listener()
        sentinel.serve { connection in
            let port = "\(master.port)"
            _ = connection.write("*2\r\n$9\r\n127.0.0.1\r\n$\(port.count)\r\n\(port)\r\n")
            _ = connection.readHead()
        }
        let sentinels = "127.0.0.1:\(silent.url.port),127.0.0.1:\(sentinel.url.port)"
        let fleet = try await fleet("redis+sentinel://\(sentinels)/feathers")
        #expect(isShared(fleet), "\(fleet.state)")

        let node = try await RedisPeer("--cluster-enabled", "yes")
        try node.run("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
        try await eventually { try node.run("CLUSTER", "INFO").contains("cluster_state:ok") }
        let nodes = "127.0.0.1:\(silent.url.port),127.0.0.1:\(node.port)"
        let cluster = try await self.fleet("redis+cluster://\(nodes)")
        #expect(isShared(cluster), "\(cluster.state)")
    }

    @Test("G5 Sentinels get a login of their own")
    func sentinelLogin() async throws {
        let master = try await RedisPeer("--requirepass", "stone")
        let sentinel = try await RedisPeer(
            file: "sentinel monitor feathers 127.0.0.1 \(master.port) 1\nrequirepass feather\n", "--sentinel")
        let address = "127.0.0.1:\(sentinel.port)/feathers"
        #expect(isShared(try await fleet("redis+sentinel://:stone@\(address)?sentinel=:feather")))
        #expect(!isShared(try await fleet("redis+sentinel://:stone@\(address)")))
        #expect(!isShared(try await fleet("redis+sentinel://:stone@\(address)?sentinel=:wrong-secret")))
        #expect(!"\(diagnostics.recent)".contains("secret"))
    }

    @Test("G5 After a failover, the fleet uses the master that the sentinels name")
    func sentinel() async throws {
        let master = try await RedisPeer()
        let replica = try await RedisPeer("--replicaof", "127.0.0.1 \(master.port)", "--repl-diskless-sync-delay", "0")
        try await eventually { try replica.run("INFO", "replication").contains("master_link_status:up") }
        try await eventually { try master.run("INFO", "replication").contains("state=online") }
        let sentinel = try await RedisPeer(
            file: """
                sentinel monitor feathers 127.0.0.1 \(master.port) 1
                sentinel down-after-milliseconds feathers 500
                sentinel failover-timeout feathers 3000

                """, "--sentinel")
        let fleet = try await fleet("redis+sentinel://127.0.0.1:\(sentinel.port)/feathers")
        #expect(isShared(fleet), "\(fleet.state)")
        try await eventually { try sentinel.run("SENTINEL", "REPLICAS", "feathers").contains("\(replica.port)") }
        master.kill()
        // The sentinel closes the connections of a replica's clients when it makes it the master.
        await eventually { (try? replica.run("ROLE"))?.contains("master") == true }
        // Until it notices, the fleet counts as shared by the connection that broke.
        await eventually { isShared(fleet) && (try? replica.run("EXISTS", "{godwit}:members")) == ":1\r\n" }
    }

    @Test("G5 A former master that is a replica now is left, and no call fails meanwhile")
    func readOnly() async throws {
        let redis = try await RedisPeer()
        let other = try await RedisPeer()
        let fleet = try await fleet(redis.url)
        try redis.run("REPLICAOF", "127.0.0.1", "\(other.port)")
        let permits = fleet.permits("a", limit: 1)
        permits.release(try await permits.acquire())
        #expect(!isShared(fleet))
        try redis.run("REPLICAOF", "NO", "ONE")
        await eventually { isShared(fleet) }
    }

    @Test("G5 In a cluster, the node with the fleet's slot is found, and followed when the slot moves")
    func cluster() async throws {
        let nodes = [
            try await RedisPeer("--cluster-enabled", "yes"), try await RedisPeer("--cluster-enabled", "yes"),
        ]
        try nodes[0].run("CLUSTER", "ADDSLOTSRANGE", "0", "8191")
        try nodes[1].run("CLUSTER", "ADDSLOTSRANGE", "8192", "16383")
        try nodes[0].run("CLUSTER", "MEET", "127.0.0.1", "\(nodes[1].port)")
        for node in nodes { try await eventually { try node.run("CLUSTER", "INFO").contains("cluster_state:ok") } }
        var fleets: [Fleet] = []
        for node in nodes { fleets.append(try await fleet("redis+cluster://127.0.0.1:\(node.port)")) }
        for fleet in fleets { #expect(isShared(fleet), "\(fleet.state)") }
        // Moves the slot, without its keys, to the other node.
        let slot = try nodes[0].run("CLUSTER", "KEYSLOT", "{godwit}:members").filter(\.isNumber)
        let owner = try #require(Int(slot)) < 8192 ? 0 : 1
        let name = try nodes[1 - owner].run("CLUSTER", "MYID").split(separator: "\r\n")[1]
        try nodes[owner].run("FLUSHALL")
        for node in [nodes[1 - owner], nodes[owner]] {
            try node.run("CLUSTER", "SETSLOT", slot, "NODE", String(name))
        }
        for fleet in fleets {
            await fleet.sendHeartbeat()
            await eventually { isShared(fleet) }
        }
        try await eventually { try nodes[1 - owner].run("EXISTS", "{godwit}:members") == ":1\r\n" }
    }

    @Test("G5 While a slot is being moved, commands follow its keys to the other node, and limits stay shared")
    func ask() async throws {
        let nodes = [
            try await RedisPeer("--cluster-enabled", "yes"), try await RedisPeer("--cluster-enabled", "yes"),
        ]
        try nodes[0].run("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
        try nodes[0].run("CLUSTER", "MEET", "127.0.0.1", "\(nodes[1].port)")
        for node in nodes { try await eventually { try node.run("CLUSTER", "INFO").contains("cluster_state:ok") } }
        let fleet = try await fleet("redis+cluster://127.0.0.1:\(nodes[0].port)")
        #expect(isShared(fleet), "\(fleet.state)")
        let slot = try nodes[0].run("CLUSTER", "KEYSLOT", "{godwit}:members").filter(\.isNumber)
        let ids = try nodes.map { String(try $0.run("CLUSTER", "MYID").split(separator: "\r\n")[1]) }
        try nodes[1].run("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[0])
        try nodes[0].run("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[1])
        let moved = try nodes[0].run(
            "MIGRATE", "127.0.0.1", "\(nodes[1].port)", "", "0", "5000", "KEYS", "{godwit}:members", "{godwit}:epoch",
            "{godwit}:joined")
        #expect(moved == "+OK\r\n")
        #expect(try nodes[0].run("EXISTS", "{godwit}:members").hasPrefix("-ASK "))
        #expect(await fleet.sendHeartbeat())
        #expect(isShared(fleet), "\(fleet.state)")
        let echo = RedisScript("return redis.call('SET', KEYS[1], ARGV[1])")
        #expect(try await fleet.run(echo, [fleet.key("a")], ["b"]).get() == .text("OK"))
        // A process that starts meanwhile finds them too.
        #expect(isShared(try await self.fleet("redis+cluster://127.0.0.1:\(nodes[1].port)")))
        for node in nodes.reversed() { try node.run("CLUSTER", "SETSLOT", slot, "NODE", ids[1]) }
        await fleet.sendHeartbeat()
        await eventually { isShared(fleet) }
        #expect(try nodes[1].run("EXISTS", "{godwit}:a") == ":1\r\n")
    }

    @Test("G5 Many commands at once share one connection, and each gets its own reply")
    func pipelining() async throws {
        let redis = try await RedisPeer()
        let fleet = try await Fleet(redis: redis.url) { $0.commandTimeout = .seconds(30) }
        let echo = RedisScript("return ARGV[1]")
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<2000 {
                group.addTask {
                    let outcome = await fleet.run(echo, [fleet.key("a")], [RedisArgument(index)])
                    return (try? outcome.get().integer) == Int64(index)
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        // Scripts that Redis has forgotten are sent again.
        try redis.run("SCRIPT", "FLUSH")
        #expect(try await fleet.run(echo, [fleet.key("a")], ["b"]).get() == .bytes(Array("b".utf8)))
    }
}

@Suite("URLs of Redis")
struct RedisURLTests {
    @Test("G5 The parts of a URL, and the topologies")
    func parts() throws {
        let url = try RedisURL("rediss://app:p%40ss@[::1]:7000/3")
        #expect(url.topology == .single(.init(host: "::1", port: 7000)))
        #expect(url.isEncrypted && url.login == .init(user: "app", password: "p@ss") && url.database == 3)
        #expect(!url.addresses.contains("p@ss"))
        let withLogins = try RedisURL("rediss+sentinel://app:a@h/m/1?sentinel=watch:b%3F")
        #expect(withLogins.login == .init(user: "app", password: "a"))
        #expect(withLogins.sentinelLogin == .init(user: "watch", password: "b?"))
        #expect(withLogins.database == 1)
        #expect(try RedisURL("redis://host").topology == .single(.init(host: "host", port: 6379)))
        #expect(
            try RedisURL("redis+sentinel://a,b:1/m/2").topology
                == .sentinels([.init(host: "a", port: 26379), .init(host: "b", port: 1)], master: "m"))
        #expect(
            try RedisURL("redis+cluster://a,b").topology
                == .cluster([.init(host: "a", port: 6379), .init(host: "b", port: 6379)]))
    }

    @Test(
        "G5 An invalid URL is refused without showing it",
        arguments: [
            "", "http://host", "redis://", "redis://host:0", "redis://host:99999", "redis://a,b", "redis://host/secret",
            "redis+tls://host", "redis://host?sentinel=a:secret", "redis+sentinel://host/m?secret",
            "redis+sentinel://host", "redis://u:secret@x@host", "redis://secret%GG@host", "redis://host/-1",
        ])
    func invalid(_ text: String) {
        let error = #expect(throws: NetworkError.self) { try RedisURL(text) }
        #expect(!"\(String(describing: error))".contains("secret"))
    }

    @Test("G5 The errors of a URL say what to write instead")
    func hints() {
        let unknown = #expect(throws: NetworkError.self) { try RedisURL("redis+tls://host") }
        #expect("\(String(describing: unknown))".contains("use +sentinel or +cluster, and rediss for TLS"))
        let several = #expect(throws: NetworkError.self) { try RedisURL("redis://a,b") }
        #expect("\(String(describing: several))".contains("several addresses need +sentinel or +cluster"))
    }
}
