import GodwitCore
import GodwitTesting
import Synchronization

/// A server on a bad line: an event falls due every few seconds; connections are refused, cut off inside an event or
/// ended; and at times everything is down. Whoever gives `Last-Event-ID` gets what comes behind it.
final class FlappingServer: HTTPTransport {
    static let interval = Duration.seconds(7)

    let attempts = Collected<Duration>()
    private let clock: TestClock
    private let generator: Mutex<SeededGenerator>

    init(clock: TestClock, seed: UInt64) {
        self.clock = clock
        generator = Mutex(SeededGenerator(seed: seed))
    }

    /// Down for ten minutes at the beginning of each hour, the first excepted, for all clients.
    static func isDown(at time: Duration) -> Bool {
        time >= .seconds(3600) && time.components.seconds % 3600 < 600
    }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        attempts.append(clock.now.offset)
        guard !Self.isDown(at: clock.now.offset), draw(1...10) > 3 else {
            throw NetworkError(.transport(.cannotConnect("down")), phase: .connecting, request: request)
        }
        let last = request.fields[.lastEventID].flatMap { Int($0) } ?? 0
        let connection = Connection(server: self, next: last + 1)
        let head = HTTPResponseHead(status: .ok, fields: [.contentType: "text/event-stream"])
        return HTTPResponse(head: head, body: .stream(once: connection), request: request)
    }

    private func draw(_ range: ClosedRange<Int>) -> Int {
        generator.withLock { Int.random(in: range, using: &$0) }
    }

    private static func event(_ number: Int) -> Data {
        ServerSentEvent(data: "event\nnumber \(number)", id: "\(number)", retry: .milliseconds(500)).encoded
    }

    struct Connection: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let server: FlappingServer
        var next: Int
        var isEnding = false

        func makeAsyncIterator() -> Connection { self }

        /// What fell due meanwhile; in the end, a part of it.
        mutating func next() async throws -> Data? {
            if isEnding {
                if server.draw(0...1) == 0 { return nil }
                throw NetworkError(.transport(.connectionLost("cut off")), phase: .receiving)
            }
            try await server.clock.sleep(for: .milliseconds(server.draw(1...180_000)))
            let due = Int(server.clock.now.offset / FlappingServer.interval)
            var block = Data(": at your service\n\n".utf8)
            for number in next..<Swift.max(next, due + 1) { block += FlappingServer.event(number) }
            next = Swift.max(next, due + 1)
            isEnding = server.draw(1...4) == 1 || FlappingServer.isDown(at: server.clock.now.offset)
            return isEnding ? block.prefix(server.draw(1...block.count)) : block
        }
    }
}
