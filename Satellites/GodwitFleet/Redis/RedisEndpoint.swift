#if os(Linux)
import GodwitCore
import GodwitLibc
import GodwitSupport

/// How to reach the Redis that has the fleet's keys: connects, secures, logs in. Used by one thread.
struct RedisEndpoint: Sendable {
    var url: RedisURL
    let tls: RedisTLS
    /// The limit of one attempt to connect.
    let timeout: Duration
    /// A key of the fleet, which decides the node of a cluster.
    let key: String
    /// The maximum size of a reply in bytes.
    let replyLimit: Int
    /// The order of the sentinels, or of the nodes of a cluster.
    private var servers = AddressOrder()
    /// The order of the addresses of a host.
    private var addresses = AddressOrder()

    init(url: RedisURL, tls: RedisTLS, timeout: Duration, key: String, replyLimit: Int) {
        self.url = url
        self.tls = tls
        self.timeout = timeout
        self.key = key
        self.replyLimit = replyLimit
    }

    /// Connects to the Redis that takes writes.
    ///
    /// - Parameter known: The address that Redis has named in a redirection.
    mutating func connect(_ known: RedisURL.Address?) throws(RedisFailure) -> RedisSession {
        do throws(RedisFailure) {
            let deadline = ContinuousClock.now + timeout
            let endpoint = self
            switch url.topology {
            case .single(let address): return try open(known ?? address, until: deadline)
            case .sentinels(let sentinels, let master):
                return try first(of: sentinels, until: deadline) { sentinel, deadline throws(RedisFailure) in
                    let address = try endpoint.find(
                        master, sentinel, until: AddressOrder.deadline(deadline, remaining: 2))
                    return try endpoint.open(address, until: deadline, isMaster: true)
                }
            case .cluster(let nodes):
                if let known { return try open(known, until: deadline) }
                return try first(of: nodes, until: deadline) { node, deadline throws(RedisFailure) in
                    try endpoint.findNode(node, until: deadline)
                }
            }
        } catch {
            addresses.fail()
            throw error
        }
    }

    /// Tries one server after the other. One that never answers doesn't use the time of the others.
    private mutating func first(
        of list: [RedisURL.Address], until deadline: ContinuousClock.Instant,
        _ connect: (RedisURL.Address, ContinuousClock.Instant) throws(RedisFailure) -> RedisSession
    ) throws(RedisFailure) -> RedisSession {
        var last = RedisFailure(.unreachable, "no address is given")
        for (position, index) in servers.indices(list.count).enumerated() {
            do throws(RedisFailure) {
                let end = AddressOrder.deadline(deadline, remaining: list.count - position)
                let session = try connect(list[index], end)
                servers.succeed(index)
                return session
            } catch {
                last = error
            }
        }
        servers.fail()
        throw last
    }

    private func open(
        _ address: RedisURL.Address, until deadline: ContinuousClock.Instant, isMaster: Bool = false
    ) throws(RedisFailure) -> RedisSession {
        let session = try secured(address, until: deadline)
        try session.logIn(url.login, until: deadline)
        if url.database != 0 { _ = try session.call(["SELECT", RedisArgument(url.database)], until: deadline) }
        // During a failover, the sentinels can still name the former master.
        if isMaster, try session.call(["ROLE"], until: deadline).array?.first?.string != "master" {
            throw RedisFailure(.moved(nil), "the sentinels name a Redis that isn't the master")
        }
        return session
    }

    private func secured(
        _ address: RedisURL.Address, until deadline: ContinuousClock.Instant
    ) throws(RedisFailure) -> RedisSession {
        let socket = try RedisSocket(address, addresses, until: deadline)
        if url.isEncrypted { try socket.startTLS(tls, to: address.host, until: deadline) }
        guard let parser = RedisParser(limit: replyLimit) else {
            throw RedisFailure(.unreachable, "no memory is left")
        }
        return RedisSession(socket, parser, to: address)
    }

    /// Asks a sentinel. It doesn't get the user and the password of the master.
    private func find(
        _ master: String, _ sentinel: RedisURL.Address, until deadline: ContinuousClock.Instant
    ) throws(RedisFailure) -> RedisURL.Address {
        let session = try secured(sentinel, until: deadline)
        try session.logIn(url.sentinelLogin, until: deadline)
        let reply = try session.call(["SENTINEL", "GET-MASTER-ADDR-BY-NAME", RedisArgument(master)], until: deadline)
        let parts = reply.array?.compactMap(\.string) ?? []
        guard parts.count == 2, let port = Int(parts[1]), (1...65535).contains(port) else {
            throw RedisFailure(.unreachable, "no sentinel knows the master")
        }
        return RedisURL.Address(host: parts[0], port: port)
    }

    /// Connects to the node that has the fleet's slot: any node names it in a redirection.
    private func findNode(
        _ node: RedisURL.Address, until deadline: ContinuousClock.Instant
    ) throws(RedisFailure) -> RedisSession {
        let session = try open(node, until: deadline)
        do throws(RedisFailure) {
            _ = try session.call(["EXISTS", RedisArgument(key)], until: deadline)
            return session
        } catch {
            // While the slot is being moved, this is still its node.
            if case .ask = error.kind { return session }
            guard case .moved(let target?) = error.kind else { throw error }
            return try open(target, until: deadline)
        }
    }
}

/// A connection with its parser. Used by one thread.
final class RedisSession {
    let socket: RedisSocket
    let address: RedisURL.Address
    private var parser: RedisParser

    init(_ socket: RedisSocket, _ parser: consuming RedisParser, to address: RedisURL.Address) {
        self.socket = socket
        self.parser = parser
        self.address = address
    }

    func logIn(_ login: RedisURL.Login?, until deadline: ContinuousClock.Instant) throws(RedisFailure) {
        guard let login else { return }
        let user = login.user.map { [RedisArgument($0)] } ?? []
        do throws(RedisFailure) {
            _ = try call(["AUTH"] + user + [RedisArgument(login.password)], until: deadline)
        } catch {
            // A Redis without users names the password in no error of its own, but a proxy may repeat the command.
            guard case .other = error.kind else { throw error }
            throw RedisFailure(.refused, "Redis doesn't accept a login")
        }
    }

    /// Sends one command and waits for its reply.
    func call(_ command: [RedisArgument], until deadline: ContinuousClock.Instant) throws(RedisFailure) -> RedisValue {
        var bytes: [UInt8] = []
        RedisArgument.encode(command, into: &bytes)
        try socket.send(bytes)
        while true {
            if let reply = try parser.next() {
                if case .failure(let text) = reply { throw RedisFailure(reply: text, from: address) }
                return reply
            }
            let events = Int32(POLLIN) | (socket.hasOutput ? Int32(POLLOUT) : 0)
            guard Descriptor.wait(socket.descriptor, for: events, until: deadline) else { throw RedisSocket.late }
            try socket.flush()
            try socket.receive(into: &parser)
        }
    }

    /// Reads what has arrived, and returns the complete replies.
    func replies() throws(RedisFailure) -> [RedisValue] {
        try socket.receive(into: &parser)
        var replies: [RedisValue] = []
        while let reply = try parser.next() { replies.append(reply) }
        return replies
    }
}
#endif
