import Glibc
package import Godwit
import GodwitSupport
import GodwitTesting
import Synchronization

/// A server with HTTP/1.1 that ends each exchange where a plan says, and records what reached it.
///
/// One request at a time: the exchanges of a plan belong to one request of the client.
package final class EndingServer: Sendable {
    /// The last thing that the server does for a sending. Numbers of bytes wrap around at the length of the part.
    package enum Point: Sendable, Hashable {
        /// Reads nothing.
        case unread
        case head(Int)
        case body(Int)
        /// Reads the whole request: it is processed.
        case processed
        case answerHead(Int)
        case answerBody(Int)
        /// Answers, and ends the connection without having said so.
        case answered
    }

    /// How the connection ends.
    package enum Ending: Sendable, Hashable, CaseIterable {
        /// The server ends its side, and reads what still comes.
        case gentle
        /// The server closes, possibly with bytes unread: the client may be reset.
        case abrupt
        case reset
    }

    package struct Kill: Sendable, Hashable {
        package let point: Point
        package let ending: Ending

        package init(_ point: Point, _ ending: Ending) { (self.point, self.ending) = (point, ending) }
    }

    /// What the server saw of one connection's use, in the order of their begin.
    package struct Arrival: Sendable, Equatable {
        /// Bytes of the request that came in, also those that were read after the end.
        package var bytes = 0
        /// How the server ended the connection; `nil` if it didn't.
        package var ending: Ending?
        /// Whether the whole request was read.
        package var isProcessed = false
        /// Bytes of the response that were sent.
        package var answerBytes = 0
        /// Whether the response's head was sent.
        package var isHeadAnswered = false
        package var isAnswered = false
        /// Whether the client may take the connection for one that it had: it served an exchange, or is older than the plan.
        package var isKept = false
    }

    fileprivate struct State {
        var plan: ArraySlice<Kill> = []
        var arrivals: [Arrival] = []
        /// The number of the plan.
        var run = 0
        /// Connections that wait for a request.
        var idle: Set<Int32> = []
        /// Connections that are not idle.
        var busy = 0
        /// Connections that have had a thread.
        var entered = 0
        /// The server's own connections, which show that all before them were accepted.
        var probes = 0

        /// Takes the plan's next end for a sending.
        mutating func begin(_ arrival: Arrival) -> Exchange {
            arrivals.append(arrival)
            return Exchange(kill: plan.popFirst(), place: arrivals.count - 1, run: run)
        }
    }

    /// A sending's place in the plan.
    fileprivate struct Exchange {
        let kill: Kill?
        let place: Int
        let run: Int
    }

    package let url: HTTPURL
    private let listener: Listener
    private let state = Watched(State())

    package init() throws {
        listener = try Listener()
        url = listener.url
        listener.serve { [state] connection in EndingConnection(connection, state).serve() }
    }

    /// Plans the ends of the next sendings; those after them are answered. If the first is to be left unread, ends a kept
    /// connection, and returns true.
    package func begin(_ plan: [Kill]) async throws -> Bool {
        state.update { $0.plan = [] }
        try await settle()
        return state.update { state in
            (state.plan, state.arrivals, state.run) = (plan[...], [], state.run + 1)
            guard plan.first?.point == .unread, let descriptor = state.idle.popFirst() else { return false }
            state.plan.removeFirst()
            // Under the lock: a connection leaves the set before its descriptor is closed.
            shutdown(descriptor, Int32(SHUT_RDWR))
            state.busy += 1
            return true
        }
    }

    /// Waits until each connection that the client has made is known: one that it made for nothing belongs to the plan before.
    private func settle() async throws {
        let probes = state.value.probes
        guard let probe = Listener.Connection(to: url.port), probe.write([EndingConnection.probe]) else {
            throw Listener.Failure(code: errno)
        }
        try await state.wait { [listener] in $0.probes > probes && $0.entered == listener.connections }
    }

    /// What came in since the plan began, once all connections are idle.
    package func arrivals() async throws -> [Arrival] {
        try await state.wait { $0.busy == 0 }
        return state.value.arrivals
    }
}

/// A connection of an ``EndingServer``, on a thread of its own.
private final class EndingConnection {
    private let connection: Listener.Connection
    private let state: Watched<EndingServer.State>
    private var arrival = EndingServer.Arrival()
    private var head: [UInt8] = []
    /// The bytes of the request that were read.
    private var received = 0

    init(_ connection: Listener.Connection, _ state: Watched<EndingServer.State>) {
        (self.connection, self.state) = (connection, state)
    }

    private var descriptor: Int32 { connection.descriptor }

    /// The only byte of the server's own connections.
    static let probe: UInt8 = 0

    func serve() {
        connection.sendWithoutDelay()
        serveExchanges()
        // Closes the socket now: the listener keeps its descriptor until the thread ends.
        let null = open("/dev/null", O_RDONLY)
        dup2(null, descriptor)
        close(null)
        state.update { $0.busy -= 1 }
    }

    private func serveExchanges() {
        let (run, unread) = enter()
        guard var exchange = unread ?? waitForRequest(olderThan: run) else { return }
        while serveOne(exchange) {
            arrival = EndingServer.Arrival(isKept: true)
            guard let next = waitForRequest(olderThan: run) else { return }
            exchange = next
        }
    }

    /// The plan in which the connection begins, and its first exchange if nothing of that is to be read.
    private func enter() -> (run: Int, unread: EndingServer.Exchange?) {
        state.update { [arrival] state in
            state.entered += 1
            state.busy += 1
            return (state.run, state.plan.first?.point == .unread ? state.begin(arrival) : nil)
        }
    }

    /// Whether the connection is kept.
    private func serveOne(_ exchange: EndingServer.Exchange) -> Bool {
        (head, received) = ([], 0)
        let isReached = exchange.kill.map { reaches($0.point) } ?? (readRequest() && answer())
        if let kill = exchange.kill, isReached { end(kill.ending) }
        state.update { [arrival] in if $0.run == exchange.run { $0.arrivals[exchange.place] = arrival } }
        return exchange.kill == nil && isReached
    }

    /// Waits idly; `nil` if the connection ends.
    private func waitForRequest(olderThan run: Int) -> EndingServer.Exchange? {
        state.update { [descriptor] state in
            state.idle.insert(descriptor)
            state.busy -= 1
        }
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&polled, 1, -1) < 0 && errno == EINTR {}
        var byte: UInt8 = 0
        let hasByte = recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 1
        let isProbe = hasByte && byte == Self.probe
        return state.update { state in
            // Otherwise the plan has ended it, and counted it as busy.
            if state.idle.remove(descriptor) != nil { state.busy += 1 }
            if isProbe { state.probes += 1 }
            if state.run != run { arrival.isKept = true }
            return hasByte && !isProbe ? state.begin(arrival) : nil
        }
    }

    /// Does what comes before the end; false if the client ended the connection first.
    @discardableResult
    private func reaches(_ point: EndingServer.Point) -> Bool {
        switch point {
        case .unread: return true
        // The shortest head is longer.
        case .head(let count): return readHead(until: 1 + count % 30)
        case .body(let count):
            return readHead() && (length ?? 0 == 0 || read(until: head.count + count % (length ?? 1)))
        case .processed: return readRequest()
        case .answerHead(let count):
            return readRequest() && write(response.prefix(1 + count % (response.count - path.utf8.count - 1)))
        case .answerBody(let count): return readRequest() && write(response.dropLast(1 + count % path.utf8.count))
        case .answered: return readRequest() && answer()
        }
    }

    // MARK: Requests

    private var text: String { String(decoding: head, as: UTF8.self).lowercased() }

    private var path: String { text.split(separator: " ").dropFirst().first.map(String.init) ?? "?" }

    /// The length of the body; `nil` if it is sent in chunks.
    private var length: Int? {
        if text.contains("transfer-encoding: chunked") { return nil }
        let line = text.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        return line.flatMap { Int($0.drop { $0 != ":" }.dropFirst().trimmingBlanks) } ?? 0
    }

    /// Reads the head and no byte of the body.
    private func readHead() -> Bool {
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard readHead(until: head.count + 1) else { return false }
        }
        return true
    }

    private func readRequest() -> Bool {
        guard readHead() else { return false }
        if let length {
            guard read(until: head.count + length) else { return false }
        } else {
            var last: ArraySlice<UInt8> = []
            while !last.suffix(5).elementsEqual(Array("0\r\n\r\n".utf8)) {
                guard let next = receive(64 << 10) else { return false }
                last = last.suffix(5) + next
            }
        }
        arrival.isProcessed = true
        return true
    }

    private func readHead(until count: Int) -> Bool {
        while head.count < count {
            guard let bytes = receive(count - head.count) else { return false }
            head += bytes
        }
        return true
    }

    /// Reads until there are so many bytes of the request; false at the end of the connection.
    private func read(until count: Int) -> Bool {
        while received < count { guard receive(count - received) != nil else { return false } }
        return true
    }

    private func receive(_ most: Int) -> ArraySlice<UInt8>? {
        var buffer = [UInt8](repeating: 0, count: min(most, 64 << 10))
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        received += count
        arrival.bytes += count
        return buffer[..<count]
    }

    // MARK: Responses

    /// The path comes back: a response of another request is noticed.
    private var response: [UInt8] {
        Array("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)".utf8)
    }

    private func answer() -> Bool {
        guard write(response[...]) else { return false }
        arrival.isAnswered = true
        return true
    }

    private func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        arrival.answerBytes += bytes.count
        arrival.isHeadAnswered = bytes.count >= response.count - path.utf8.count
        return connection.write(bytes)
    }

    // MARK: Ends

    /// Bytes that came in and were not read.
    private var unreadCount: Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    private func end(_ ending: EndingServer.Ending) {
        arrival.ending = ending
        switch ending {
        case .gentle:
            shutdown(descriptor, Int32(SHUT_WR))
            drain()
        case .abrupt:
            let count = unreadCount
            arrival.bytes += count
            // Nothing that comes later is acknowledged: the count is exact.
            if count == 0 {
                shutdown(descriptor, Int32(SHUT_RDWR))
                drain()
            }
        case .reset:
            arrival.bytes += unreadCount
            connection.resetOnClose()
        }
    }

    /// Reads what comes until the client ends.
    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { arrival.bytes += count }
    }
}
