#if os(Linux)
import Godwit
import GodwitSockets
import GodwitTesting
import Testing

/// Responses that arrive in pieces of any size and end after any byte, in each way in which a connection can end. What a call comes
/// to is compared with what ``CutResponse`` states by hand.
@Suite("T21 responses that end after any byte", .serialized, .timeLimit(.minutes(15)))
struct ResponseCutTests {
    private static let places = Array(CutResponse.corpus.indices)
    private static let sizes = [1, 2, 3, 7, 1 << 20]

    private let isLong = ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] != nil

    @Test("T21 over TCP, a response that ends after any byte comes to the same whatever its pieces", arguments: places)
    func plain(_ place: Int) async throws {
        try await expectOutcomes(
            of: cuts(of: place, [.end, .reset], sizesEach: 2), from: CutServer(isSecure: false),
            inFlight: inFlight(place))
    }

    @Test(
        "T21 over TLS, an alert or an end without close_notify within a response is an error whatever its records",
        arguments: CutResponse.framed.indices)
    func secure(_ place: Int) async throws {
        let isNotified = isLong || CutResponse.corpus[place].endsWithConnection
        try await expectOutcomes(
            of: cuts(of: place, [.end, .alert] + (isNotified ? [.closeNotify, .reset] : []), sizesEach: 1),
            from: CutServer(isSecure: true), inFlight: inFlight(place))
    }

    /// Bytes after a response may arrive when its connection serves another exchange.
    private func inFlight(_ place: Int) -> Int { CutResponse.corpus[place].hasSurplus ? 1 : 4 }

    @Test("T21 a server that falls silent within a response is an inactivity timeout")
    func silent() async throws {
        let cuts = Self.places.flatMap { place in
            let response = CutResponse.corpus[place]
            // Some of each, and the last byte before the end.
            let counts = Set(stride(from: place % 9, to: response.bytes.count, by: 9)).union([response.bytes.count - 1])
            return counts.filter { !response.isDecided(after: $0) }.sorted().map { count in
                CutServer.Cut(place, count, inPiecesOf: Self.sizes[count % Self.sizes.count], .silence)
            }
        }
        try await expectOutcomes(
            of: cuts, from: CutServer(isSecure: false), inFlight: .max, inactivity: .seconds(5))
    }

    /// Each number of bytes with each ending, in pieces of some sizes: all in long runs.
    private func cuts(of place: Int, _ endings: [CutResponse.Ending], sizesEach: Int) -> [CutServer.Cut] {
        let sizes = Self.sizes.count
        return (0...CutResponse.corpus[place].bytes.count).flatMap { count in
            endings.enumerated().flatMap { number, ending in
                (0..<(isLong ? sizes : sizesEach)).map { turn in
                    CutServer.Cut(
                        place, count, inPiecesOf: Self.sizes[(place + count + number + turn) % sizes], ending)
                }
            }
        }
    }

    /// Sends a request for each cut, buffered or streamed: both in long runs.
    private func expectOutcomes(
        of cuts: [CutServer.Cut], from server: CutServer, inFlight: Int, inactivity: Duration = .seconds(60)
    ) async throws {
        let transport = try SocketTransport {
            $0.proxy = .none
            $0.maximumConnectionsPerHost = 4096
            if inFlight == 1 { $0.maximumIdleConnections = 0 }
            $0.tls.authorities["127.0.0.1"] = server.authority.map { .only(.pem($0)) }
        }
        let calls = cuts.enumerated().flatMap { number, cut in
            let isStreamed = (number + cut.count) % 2 == 0
            return (isLong ? [isStreamed, !isStreamed] : [isStreamed]).map { (cut: cut, isStreamed: $0) }
        }
        var faults: [String] = []
        await withTaskGroup(of: String?.self) { group in
            for (number, call) in calls.enumerated() {
                if number >= inFlight, let fault = await group.next() ?? nil { faults.append(fault) }
                group.addTask { await fault(of: call.cut, call.isStreamed, from: server, over: transport, inactivity) }
            }
            for await fault in group { if let fault { faults.append(fault) } }
        }
        #expect(faults.isEmpty, "\(faults.count) of \(calls.count): \(faults.prefix(5).joined(separator: "\n"))")
        await transport.shutdown(.cancelling)
    }

    /// What differs from the stated outcome, or `nil`.
    private func fault(
        of cut: CutServer.Cut, _ isStreamed: Bool, from server: CutServer, over transport: SocketTransport,
        _ inactivity: Duration
    ) async -> String? {
        var outcome = CutResponse.Outcome()
        var part: [UInt8] = []
        do {
            var request = try server.request(cut)
            request.delivery = isStreamed ? .streamed : .buffered
            request.options.timeouts.inactivity = inactivity
            let response = try await transport.send(request)
            outcome.status = response.head.status.code
            for try await chunk in response.body { part += chunk }
            outcome.body = part
            for field in response.trailers { outcome.trailers[field.name.rawName] = field.value }
        } catch {
            let error = error as? NetworkError
            outcome.error = error?.shortDescription ?? "another type"
            outcome.status = error?.response?.status.code ?? outcome.status
        }
        let stated = cut.response.outcome(after: cut.count, cut.ending, isSecure: server.isSecure)
        if outcome == stated, cut.response.begins(with: part) { return nil }
        return
            "\(cut.response.name), \(cut.path)\(isStreamed ? ", streamed" : ""): \(outcome), not \(stated), after \(part)"
    }
}
#endif
