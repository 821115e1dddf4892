import Glibc
import GodwitCore

/// How to reach the Redis that has the fleet's keys: connects, secures, logs in. Used by one thread.
struct RedisEndpoint: Sendable {
    var url: RedisURL
    /// A PEM file of trusted certificates; `nil` for the system's.
    let authorities: String?
    /// The limit of one attempt to connect.
    let timeout: Duration
    /// A key of the fleet, which decides the node of a cluster.
    let key: String
    /// The maximum size of a reply in bytes.
    let replyLimit: Int

    /// Connects to the Redis that takes writes.
    ///
    /// - Parameter known: The address that Redis has named in a redirection.
    func connect(_ known: RedisURL.Address?) throws(RedisFailure) -> RedisSession {
        let deadline = ContinuousClock.now + timeout
        switch url.topology {
        case .single(let address): return try open(known ?? address, until: deadline)
        case .sentinels(let sentinels, let master):
            return try open(try find(master, sentinels, until: deadline), until: deadline, isMaster: true)
        case .cluster(let nodes):
            if let known { return try open(known, until: deadline) }
            return try findNode(nodes, until: deadline)
        }
    }

    private func open(
        _ address: RedisURL.Address, until deadline: ContinuousClock.Instant, isMaster: Bool = false
    ) throws(RedisFailure) -> RedisSession {
        let session = try secured(address, until: deadline)
        if let password = url.password {
            let login: [RedisArgument] =
                ["AUTH"] + (url.user.map { [RedisArgument($0)] } ?? []) + [RedisArgument(password)]
            _ = try session.call(login, until: deadline)
        }
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
        let socket = try RedisSocket(address, until: deadline)
        if url.isEncrypted {
            try socket.startTLS(try RedisTLS(to: address.host, trusting: authorities), until: deadline)
        }
        guard let parser = RedisParser(limit: replyLimit) else { throw RedisFailure(.other, "no memory is left") }
        return RedisSession(socket, parser)
    }

    /// Asks one sentinel after the other. They don't get the password, which is that of the master.
    private func find(
        _ master: String, _ sentinels: [RedisURL.Address], until deadline: ContinuousClock.Instant
    ) throws(RedisFailure) -> RedisURL.Address {
        var last = RedisFailure(.unreachable, "no sentinel knows the master")
        for sentinel in sentinels {
            do throws(RedisFailure) {
                let session = try secured(sentinel, until: deadline)
                let reply = try session.call(
                    ["SENTINEL", "GET-MASTER-ADDR-BY-NAME", RedisArgument(master)], until: deadline)
                let parts = reply.array?.compactMap(\.string) ?? []
                if parts.count == 2, let port = Int(parts[1]), (1...65535).contains(port) {
                    return RedisURL.Address(host: parts[0], port: port)
                }
            } catch {
                last = error
            }
        }
        throw last
    }

    /// Connects to the node that has the fleet's slot: any node names it in a redirection.
    private func findNode(
        _ nodes: [RedisURL.Address], until deadline: ContinuousClock.Instant
    ) throws(RedisFailure) -> RedisSession {
        var last = RedisFailure(.unreachable, "no node of the cluster answers")
        for node in nodes {
            do throws(RedisFailure) {
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
            } catch {
                last = error
            }
        }
        throw last
    }
}

/// A connection with its parser. Used by one thread.
final class RedisSession {
    let socket: RedisSocket
    private var parser: RedisParser

    init(_ socket: RedisSocket, _ parser: consuming RedisParser) {
        self.socket = socket
        self.parser = parser
    }

    /// Sends one command and waits for its reply.
    func call(_ command: [RedisArgument], until deadline: ContinuousClock.Instant) throws(RedisFailure) -> RedisValue {
        var bytes: [UInt8] = []
        RedisArgument.encode(command, into: &bytes)
        try socket.send(bytes)
        while true {
            if let reply = try parser.next() {
                if case .failure(let text) = reply { throw RedisFailure(reply: text) }
                return reply
            }
            let events = Int32(POLLIN) | (socket.hasOutput ? Int32(POLLOUT) : 0)
            guard RedisSocket.wait(socket.descriptor, for: events, until: deadline) else { throw RedisSocket.late }
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
