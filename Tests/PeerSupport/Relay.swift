import Glibc
package import Godwit
import GodwitTesting
import GodwitSupport

/// A TCP relay on 127.0.0.1 between a client and a server, which can misbehave as networks do.
///
/// Each connection runs on a thread of its own. Commands such as ``silence()`` take effect within milliseconds and hold for
/// the connections that are open at that moment; later connections work.
///
/// ```swift
/// let relay = try Relay(to: server.url.port)
/// _ = try await transport.get(relay.at("/first"))
/// relay.silence()
/// ```
package final class Relay: Sendable {
    /// What happens to one connection.
    package enum Mode: Sendable {
        case forwarding
        /// Bytes are acknowledged by TCP and dropped, in both directions, as by a middlebox that lost its state.
        case silent
        /// Closed by a reset.
        case reset
        /// Closed in order.
        case closed
    }

    private struct State: Sendable {
        /// What became of each connection, by number.
        var modes: [Mode] = []
        var open: Set<Int> = []
        /// Bytes that clients sent on silent connections.
        var dropped = 0
        /// Bytes each second, in each direction; `nil` means no limit.
        var rate: Int?
    }

    private let listener: Listener
    private let port: Int
    private let state = Watched(State())

    /// Listens, and forwards each connection to a port of 127.0.0.1.
    package init(to port: Int) throws {
        self.port = port
        listener = try Listener()
        listener.serve { [state, port] in Self.relay($0, to: port, state) }
    }

    /// The relay's port.
    package var listeningPort: Int { listener.url.port }

    /// A URL whose connections go through the relay.
    ///
    /// - Parameter scheme: `https` if the server speaks TLS.
    package func at(_ path: String, scheme: String = "http") throws -> HTTPURL {
        try HTTPURL("\(scheme)://127.0.0.1:\(listener.url.port)\(path)")
    }

    /// How many connections were accepted.
    package var connections: Int { state.value.modes.count }

    /// How many connections are open.
    package var openConnections: Int { state.value.open.count }

    /// How many bytes clients sent on connections after they went silent.
    package var droppedBytes: Int { state.value.dropped }

    /// Waits until a client has sent bytes on silent connections.
    package func waitUntilDropped() async throws {
        try await state.wait { $0.dropped > 0 }
    }

    /// Waits until this many connections are open.
    package func wait(untilOpen count: Int) async throws {
        try await state.wait { $0.open.count == count }
    }

    /// Drops every further byte of the open connections.
    package func silence() { change(to: .silent) }

    /// Resets the open connections.
    package func reset() { change(to: .reset) }

    /// Closes the open connections in order.
    package func close() { change(to: .closed) }

    /// Limits each direction of every connection.
    ///
    /// - Parameter bytes: Bytes each second; `nil` means no limit.
    package func throttle(to bytes: Int?) {
        state.update { $0.rate = bytes }
    }

    private func change(to mode: Mode) {
        state.update { state in
            for connection in state.open { state.modes[connection] = mode }
        }
    }

    private static func relay(_ client: Listener.Connection, to port: Int, _ state: Watched<State>) {
        guard let server = Listener.Connection(to: port) else { return }
        let number = state.update { state in
            state.modes.append(.forwarding)
            state.open.insert(state.modes.count - 1)
            return state.modes.count - 1
        }
        defer { state.update { _ = $0.open.remove(number) } }
        var pair = Pair(client.descriptor, server.descriptor)
        while pair.isOpen {
            pair.wait()
            // Read after waiting: what arrives after a command is treated as the command says.
            let (mode, rate) = (state.value.modes[number], state.value.rate)
            switch mode {
            case .forwarding, .silent:
                let dropped = pair.step(isSilent: mode == .silent, rate: rate)
                if dropped > 0 { state.update { $0.dropped += dropped } }
            case .reset: return Pair.makeCloseReset(client.descriptor)
            case .closed: return
            }
        }
    }

    /// The two sockets of one connection.
    private struct Pair {
        private let client: Int32
        private let server: Int32
        private var buffer = [UInt8](repeating: 0, count: 64 << 10)
        private var polled: [pollfd] = []
        private var endedClient = false
        private var endedServer = false

        init(_ client: Int32, _ server: Int32) {
            (self.client, self.server) = (client, server)
        }

        /// Whether one side may still send.
        var isOpen: Bool { !(endedClient && endedServer) }

        /// Waits a moment for bytes of either side.
        mutating func wait() {
            polled = [
                pollfd(fd: endedClient ? -1 : client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: endedServer ? -1 : server, events: Int16(POLLIN), revents: 0),
            ]
            poll(&polled, 2, 5)
        }

        /// Moves what is there; returns how many of the client's bytes were dropped.
        mutating func step(isSilent: Bool, rate: Int?) -> Int {
            var dropped = 0
            if polled[0].revents != 0 {
                switch move(from: client, to: server, isSilent, rate) {
                case .moved(let count): dropped = isSilent ? count : 0
                case .ended:
                    endedClient = true
                    // Nobody is told, so nobody else will end it.
                    if isSilent { endedServer = true }
                case .failed: (endedClient, endedServer) = (true, true)
                }
            }
            if polled[1].revents != 0 {
                switch move(from: server, to: client, isSilent, rate) {
                case .moved: break
                case .ended: endedServer = true
                case .failed: (endedClient, endedServer) = (true, true)
                }
            }
            return dropped
        }

        private enum Move {
            case moved(Int), ended, failed
        }

        private mutating func move(from source: Int32, to target: Int32, _ isSilent: Bool, _ rate: Int?) -> Move {
            // A limit is kept by small pieces with a pause after each.
            let size = rate.map { min(buffer.count, max(1, $0 / 50)) } ?? buffer.count
            let count = recv(source, &buffer, size, 0)
            guard count > 0 else {
                if !isSilent { shutdown(target, Int32(SHUT_WR)) }
                return count < 0 ? .failed : .ended
            }
            if isSilent { return .moved(count) }
            guard Self.send(buffer[..<count], to: target) else { return .failed }
            if rate != nil { usleep(20_000) }
            return .moved(count)
        }

        private static func send(_ bytes: ArraySlice<UInt8>, to target: Int32) -> Bool {
            var rest = bytes
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(target, $0.baseAddress, $0.count, StreamSocket.sendFlags)
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        static func makeCloseReset(_ descriptor: Int32) {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
    }
}
