import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

extension BadNetwork {
    /// A request at every point of whose life the connection ends, checked against the table in docs/resilience.md.
    @Suite("The life of a request")
    struct RequestLife {
        @Test(
            "T20 whenever a connection ends, no request is lost, sent twice or reported as failed unseen, over HTTP/1.1",
            arguments: 0..<4)
        func killed(_ lane: Int) async throws {
            var life = try Life(seed: 20 + lane)
            for _ in 0..<(isSoak ? 200_000 : 2_000) { try await life.runOne() }
            await life.end()
            #expect(life.answered > 0 && life.failed > 0 && life.resent > 0)
        }

        @Test(
            "T20 however a stream or its connection ends, no request is lost or sent twice, over HTTP/2",
            .enabled(if: H2Peer.isAvailable, H2Peer.hint), arguments: 0..<(isSoak ? 100 : 1))
        func streams(_ batch: Int) async throws {
            let peer = try H2Peer()
            let transport = try Subject.sockets.makeTrusting()
            var random = SplitMix(seed: 20 + batch)
            var lives: [StreamLife] = []
            for number in 0..<2_000 {
                var life = StreamLife(number, using: &random)
                let request = try life.request(to: peer.secure)
                life.isAnswered = await transport.failure(of: request) == nil
                lives.append(life)
            }
            let report = try await transport.get(HTTPURL(peer.secure + "/lives"))
            await transport.shutdown(.cancelling)
            let counts = try JSONDecoder().decode([String: Int].self, from: await bytes(of: report))
            for life in lives {
                let fault = life.fault(arrivals: counts["\(life.number)"] ?? 0)
                #expect(fault == nil, "\(life) \(counts["\(life.number)"] ?? 0)")
            }
            #expect(lives.contains { !$0.isAnswered } && counts.values.contains { $0 > 2 })
        }
    }
}

/// A request over HTTP/2, and the ends that its sendings meet at `h2_peer.py`.
private struct StreamLife {
    private enum End: String, CaseIterable {
        /// Not processed, and the server says so.
        case goaway, goaway0, refused
        /// The connection ends after the request's head.
        case drop
        /// Processed: with a GOAWAY that says so, the end of the connection, or of the stream.
        case processedGoaway = "processed-goaway"
        case close
        case resetHead = "reset-head"
        /// Processed and answered in part.
        case reset
    }

    let number: Int
    private let method: HTTPMethod
    private let hasKey: Bool
    private let plan: [End]
    var isAnswered = false

    init(_ number: Int, using random: inout SplitMix) {
        self.number = number
        method = random.pick([.get, .put, .post, .post, .patch, .delete])
        hasKey = random.happens(25)
        plan = (0..<random.below(4)).map { _ in random.pick(End.allCases) }
    }

    func request(to origin: String) throws -> HTTPRequest {
        let ends = plan.map(\.rawValue).joined(separator: ".")
        let url = try HTTPURL("\(origin)/life?id=\(number)" + (plan.isEmpty ? "" : "&plan=\(ends)"))
        var request = HTTPRequest(method: method, url: url)
        if [.put, .post, .patch].contains(method) { request.body = .bytes(Data("content".utf8)) }
        if hasKey { request.fields[.idempotencyKey] = "key-\(number)" }
        return request
    }

    /// What contradicts the table; `nil` if nothing does.
    func fault(arrivals: Int) -> String? {
        guard arrivals > 0 else { return "it never arrived" }
        let met = plan.prefix(arrivals)
        for (count, end) in met.prefix(arrivals - 1).enumerated() where !next(after: end, count).contains(.again) {
            return "sent again after \(end)"
        }
        let isOver = arrivals > plan.count
        if isAnswered { return isOver ? nil : "answered without a response" }
        guard let last = met.last, !isOver else { return "an answer was lost" }
        return next(after: last, arrivals - 1).contains(.stop) ? nil : "given up after \(last)"
    }

    private enum Next { case again, stop }

    /// - Parameter count: How often it was sent again before.
    private func next(after end: End, _ count: Int) -> Set<Next> {
        let isRepeatable = method.isIdempotent || hasKey
        return switch end {
        // A connection that serves nothing, as each GOAWAY on the first stream says, is followed by one more; a refused stream by
        // two.
        case .goaway, .goaway0: count < 1 ? [.again] : [.again, .stop]
        case .refused: count < 2 ? [.again] : [.again, .stop]
        case .drop, .close, .processedGoaway, .resetHead: isRepeatable ? [.again, .stop] : [.stop]
        case .reset: [.stop]
        }
    }
}

/// Requests one after the other to a server that ends connections.
private struct Life {
    private let server: EndingServer
    private let transport: any HTTPTransport
    private var random: SplitMix
    private var number = 0
    /// Whether the last plan may have reset the kept connection after the response.
    private var wasReset = false
    private(set) var answered = 0
    private(set) var failed = 0
    private(set) var resent = 0

    init(seed: Int) throws {
        server = try EndingServer()
        transport = try Subject.sockets.make()
        random = SplitMix(seed: seed)
    }

    mutating func runOne() async throws {
        number += 1
        let plan = (0..<random.below(4)).map { _ in kill() }
        let sending = try Sending(url: HTTPURL("\(server.url.origin)/\(number)"), using: &random)
        if random.happens(20) {
            _ = try await server.begin([])
            try await transport.warmUp(server.url, connections: 2)
        }
        let endsKept = try await server.begin(plan)
        let outcome = await outcome(of: sending.request)
        let arrivals = try await server.arrivals()
        let table = ResendingTable(
            isRepeatable: sending.isRepeatable, isReplayable: sending.isReplayable, isConnectionReset: wasReset,
            endsKept: endsKept)
        let fault = table.fault(in: arrivals, outcome)
        wasReset = plan.contains { $0.ending == .reset }
        #expect(fault == nil, "\(number): \(sending) \(plan) \(arrivals) \(outcome)")
        if case .success = outcome { answered += 1 } else { failed += 1 }
        if arrivals.count > 1 { resent += 1 }
    }

    func end() async { await transport.shutdown(.cancelling) }

    /// The path that was answered.
    private func outcome(of request: HTTPRequest) async -> Result<Bool, NetworkError> {
        do throws(NetworkError) {
            return .success(try await text(of: transport.send(request)) == request.url.path)
        } catch {
            return .failure(error)
        }
    }

    private mutating func kill() -> EndingServer.Kill {
        let count = random.below(1 << 20)
        let points: [EndingServer.Point] = [
            .unread, .unread, .head(count), .body(count), .processed, .answerHead(count), .answerBody(count), .answered,
        ]
        return EndingServer.Kill(random.pick(points), random.pick(EndingServer.Ending.allCases))
    }
}

/// A request of a random kind.
private struct Sending: CustomStringConvertible {
    let request: HTTPRequest
    let isRepeatable: Bool
    let isReplayable: Bool
    let description: String

    init(url: HTTPURL, using random: inout SplitMix) throws {
        let method = random.pick([HTTPMethod.get, .put, .post, .post, .patch, .delete])
        var request = HTTPRequest(method: method, url: url)
        let size = random.pick([0, 1, 100, 70_000])
        let hasBody = [.put, .post, .patch].contains(method)
        isReplayable = !hasBody || random.happens(80)
        if hasBody {
            let half = String(repeating: "x", count: size / 2)
            let texts = [half, half + String(repeating: "x", count: size % 2)]
            let length = random.happens(50) ? Int64(size) : nil
            request.body =
                switch random.below(isReplayable ? 2 : 1) {
                case 0 where !isReplayable: .stream(once: BadNetwork.Chunks(texts), length: length)
                case 0: .bytes(Data(texts.joined().utf8))
                default: .stream(length: length) { BadNetwork.Chunks(texts) }
                }
        }
        let hasKey = random.happens(25)
        if hasKey { request.fields[.idempotencyKey] = "key-\(url.path)" }
        isRepeatable = method.isIdempotent || hasKey
        self.request = request
        description = "\(method) \(size) key: \(hasKey) replayable: \(isReplayable)"
    }
}

/// What may follow from what a server saw (docs/resilience.md).
private struct ResendingTable {
    let isRepeatable: Bool
    let isReplayable: Bool
    /// Whether the kept connection may have been reset before: that alone doesn't tell what became of the request.
    let isConnectionReset: Bool
    /// Whether the server ended a kept connection before the first sending.
    let endsKept: Bool

    private enum Next {
        case again, stop, either
    }

    /// What contradicts the table; `nil` if nothing does.
    func fault(in arrivals: [EndingServer.Arrival], _ outcome: Result<Bool, NetworkError>) -> String? {
        // A connection that the client closes before it sends anything isn't a sending.
        let arrivals = arrivals.filter { $0.bytes > 0 || $0.ending != nil }
        guard let last = arrivals.last else {
            return isConnectionReset && !(isRepeatable && isReplayable) ? nil : "it never arrived"
        }
        for (index, arrival) in arrivals.dropLast().enumerated() where next(after: arrival, index) == .stop {
            // A connection that was made, and on which nothing was sent, may follow.
            if arrivals[(index + 1)...].contains(where: { $0.bytes > 0 }) { return "sent again after \(arrival)" }
        }
        if !isRepeatable, arrivals.count(where: \.isProcessed) > 1 { return "processed twice" }
        switch outcome {
        case .success(let isOwn): return isOwn && arrivals.contains(where: \.isAnswered) ? nil : "another response"
        case .failure(let error) where error.kind == .timedOut(.inactivity): return "stalled"
        case .failure: return next(after: last, arrivals.count - 1) == .again ? "given up" : nil
        }
    }

    /// - Parameter count: How many arrivals were before it.
    private func next(after arrival: EndingServer.Arrival, _ count: Int) -> Next {
        let isSafe = isRepeatable && arrival.isKept
        if arrival.isHeadAnswered, arrival.ending == .gentle { return .stop }
        // A reset discards what the client has not read.
        if arrival.answerBytes > 0 { return isSafe ? .either : .stop }
        // Once; an end before the first arrival may have counted.
        if arrival.bytes > 0 { return isSafe ? (count > 0 || endsKept ? .either : again) : .stop }
        // Unread. On a new connection, and by a reset alone, the client can't tell.
        return arrival.isKept && (isSafe || arrival.ending != .reset) ? again : .either
    }

    private var again: Next { isReplayable ? .again : .either }
}
