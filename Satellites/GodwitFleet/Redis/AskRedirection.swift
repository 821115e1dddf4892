#if os(Linux)
import GodwitCore
import Synchronization

/// Sends commands to the node to which the fleet's slot is being moved. It accepts a command only after `ASKING`.
final class AskRedirection: Sendable {
    private struct Node: Sendable {
        let address: RedisURL.Address
        let connection: RedisConnection
    }

    private let endpoint: RedisEndpoint
    private let timeout: Duration
    private let node = Mutex<Node?>(nil)

    /// Connects to nothing yet.
    ///
    /// - Parameters:
    ///   - endpoint: How to log in.
    ///   - timeout: The limit of a command, and of the wait for a connection.
    init(_ endpoint: RedisEndpoint, timeout: Duration) {
        self.endpoint = endpoint
        self.timeout = timeout
    }

    deinit { node.withLock { $0?.connection.close() } }

    /// Sends a command to the node that an `ASK` reply names.
    func send(_ command: [RedisArgument], to address: RedisURL.Address) async -> RedisConnection.Outcome {
        let connection = connection(to: address)
        await connection.firstAttempt(within: timeout)
        return await connection.send(command, after: ["ASKING"])
    }

    private func connection(to address: RedisURL.Address) -> RedisConnection {
        let (connection, former) = node.withLock { node -> (RedisConnection, RedisConnection?) in
            if let node, node.address == address { return (node.connection, nil) }
            let former = node?.connection
            var endpoint = endpoint
            endpoint.url.topology = .single(address)
            let connection = RedisConnection(endpoint, for: .commands, timeout: timeout)
            node = Node(address: address, connection: connection)
            return (connection, former)
        }
        former?.close()
        return connection
    }
}
#endif
