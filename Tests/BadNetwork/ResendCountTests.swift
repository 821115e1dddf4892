import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

extension BadNetwork {
    /// How often one call is sent in all: by the engine, which sends again what wasn't processed, and by ``Retry``.
    @Suite("What the engine sends again counts", .serialized)
    struct ResendCounts {
        /// A client that makes its attempts without pauses.
        private func client(
            _ listener: Listener, attempts: Int, _ change: (inout Setup) -> Void = { _ in }
        ) throws -> APIClient {
            let transport = try Subject.sockets.make(change)
            return APIClient(baseURL: listener.url, transport: transport) {
                $0.retry.maximumAttempts = attempts
                $0.retry.backoff = Backoff(base: .zero)
            }
        }

        /// A server of HTTP/2 that answers the first requests in one way, and later ones in another; each on a connection
        /// of its own.
        private func peer(_ arrived: Watched<Int>, first count: Int, _ early: Frames, then late: Frames) throws
            -> Listener
        {
            let listener = try Listener()
            listener.serve { connection in
                guard connection.readRequest() else { return }
                let number = arrived.update { arrived in
                    arrived += 1
                    return arrived
                }
                connection.write((number <= count ? early : late).bytes)
                connection.drain()
            }
            return listener
        }

        private func failure(of endpoint: Endpoint<Void>, on api: APIClient) async -> NetworkError? {
            await TestSupport.failure { () throws(NetworkError) in try await api.send(endpoint) }
        }

        // Each ends its connection, so that every request arrives on one of its own.
        private static let refusal = Frames.start.adding(.reset, [0, 0, 0, 7])
            .adding(.goAway, stream: 0, [0, 0, 0, 1, 0, 0, 0, 0])
        private static let goAway = Frames.start.adding(.goAway, stream: 0, [0, 0, 0, 0, 0, 0, 0, 2])
        private static let unavailable = Frames.start.adding(
            .headers, flags: Frames.endStream | Frames.endHeaders, [0x08, 3] + Array("503".utf8)
        ).adding(.goAway, stream: 0, [0, 0, 0, 1, 0, 0, 0, 0])
        private static let noContent = Frames.start.adding(
            .headers, flags: Frames.endStream | Frames.endHeaders, [0x89])

        @Test(
            "M4 T11 a server that refuses every stream gets one GET as often as maximumAttempts says",
            arguments: [(refusal, 3, 3), (refusal, 5, 5), (goAway, 3, 3), (goAway, 5, 5), (unavailable, 3, 3)])
        func refused(_ answer: Frames, _ attempts: Int, _ expected: Int) async throws {
            let arrived = Watched(0)
            let listener = try peer(arrived, first: .max, answer, then: answer)
            let api = try client(listener, attempts: attempts) { $0.versions = .http2PriorKnowledge }
            #expect(await failure(of: .get(""), on: api) != nil)
            #expect(arrived.value == expected)
            await api.shutdown(.cancelling)
        }

        @Test("M4 T11 an attempt after a 503 has only what is left of the attempts")
        func rest() async throws {
            let arrived = Watched(0)
            let listener = try peer(arrived, first: 1, Self.unavailable, then: Self.refusal)
            let api = try client(listener, attempts: 3) { $0.versions = .http2PriorKnowledge }
            let error = await failure(of: .get(""), on: api)
            #expect(arrived.value == 3)
            #expect(error?.attempt == 2 && error?.resendCount == 1)
            await api.shutdown(.cancelling)
        }

        @Test("M4 T11 the metrics of a response say how often the engine sent the request again", arguments: [0, 1, 2])
        func metrics(_ refusals: Int) async throws {
            let arrived = Watched(0)
            let listener = try peer(arrived, first: refusals, Self.refusal, then: Self.noContent)
            let api = try client(listener, attempts: 3) { $0.versions = .http2PriorKnowledge }
            let metrics = try await api.response(for: Endpoint<Void>.get("")).metrics
            #expect(metrics.resendCount == refusals && metrics.attempt == 1)
            #expect(arrived.value == refusals + 1)
            await api.shutdown(.cancelling)
        }

        @Test("M4 T11 a refused POST without a key is sent by the engine only", arguments: [1, 3, 9])
        func post(_ attempts: Int) async throws {
            let arrived = Watched(0)
            let listener = try peer(arrived, first: .max, Self.refusal, then: Self.refusal)
            let api = try client(listener, attempts: attempts) { $0.versions = .http2PriorKnowledge }
            let error = await failure(of: .post(""), on: api)
            #expect(arrived.value == 3 && error?.resendCount == 2)
            await api.shutdown(.cancelling)
        }

        @Test(
            "M4 T11 B9 a server that refuses an upload gets its request as often as maximumAttempts says",
            arguments: [refusal, goAway], [3, 5])
        func upload(_ answer: Frames, _ attempts: Int) async throws {
            let folder = TemporaryFolder()
            let file = try folder.file("a.bin", Data(count: 10))
            let arrived = Watched(0)
            let listener = try peer(arrived, first: .max, answer, then: answer)
            let api = try client(listener, attempts: attempts) { $0.versions = .http2PriorKnowledge }
            let url = listener.url
            let parts = UploadParts<Void> { _ in
                HTTPRequest(method: .put, url: url)
            } complete: { _ in
            } abort: {
            }
            await #expect(throws: NetworkError.self) { try await api.upload(file, to: .parts(parts)).value }
            #expect(arrived.value == attempts)
            arrived.update { $0 = 0 }
            await #expect(throws: NetworkError.self) { try await api.upload(file, to: .resumable(.post(""))).value }
            #expect(arrived.value == attempts)
            await api.shutdown(.cancelling)
        }

        @Test("M4 T11 B9 a refused creation of an upload, after the server was asked what it speaks, is sent as often")
        func creation() async throws {
            let folder = TemporaryFolder()
            let file = try folder.file("a.bin", Data(count: 10))
            let arrived = Watched(0)
            let noContent = Self.noContent.adding(.goAway, stream: 0, [0, 0, 0, 1, 0, 0, 0, 0])
            let listener = try peer(arrived, first: 1, noContent, then: Self.goAway)
            let api = try client(listener, attempts: 3) { $0.versions = .http2PriorKnowledge }
            let upload = api.upload(file, to: .resumable(.post(""), using: .tus))
            await #expect(throws: NetworkError.self) { try await upload.value }
            #expect(arrived.value == 1 + 3)
            await api.shutdown(.cancelling)
        }

        @Test("M4 T11 kept connections of HTTP/1.1 that close before they answer: each sending counts")
        func kept() async throws {
            let arrived = Watched(0)
            let listener = try Listener()
            listener.serve { connection in
                guard let head = connection.readHead() else { return }
                if head.hasPrefix("GET /first ") {
                    connection.write("HTTP/1.1 204 No Content\r\n\r\n")
                    guard connection.readHead() != nil else { return }
                }
                arrived.update { $0 += 1 }
            }
            let api = try client(listener, attempts: 3)
            try await api.send(Endpoint<Void>.get("first"))
            let error = await failure(of: .get("again"), on: api)
            // Once on the kept connection, once more by the engine, and one attempt is left.
            #expect(arrived.value == 3)
            #expect(error?.attempt == 2 && error?.resendCount == 0)
            await api.shutdown(.cancelling)
        }
    }
}
