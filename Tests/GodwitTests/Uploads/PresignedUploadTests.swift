import Godwit
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("B10 uploads in presigned parts", .timeLimit(.minutes(15)))
struct PresignedUploadTests {
    /// A store of parts at another origin than the app's server, and what the app's closures were called with.
    private final class Store: Sendable {
        struct State {
            var parts: [String: Data] = [:]
            var completed: [(Int, String)] = []
            var aborts = 0
        }

        let state = Mutex(State())
        let server: MockServer
        private let status = Mutex<@Sendable (MockRequest) -> MockResponse?>({ _ in nil })

        init(_ fault: @escaping @Sendable (MockRequest) -> MockResponse? = { _ in nil }) async throws {
            let handler = Box()
            server = try await MockServer { route in
                route.put("/parts/:number").reply { request in handler.answer.withLock(\.self)(request) }
            }
            handler.answer.withLock { answer in
                answer = { [weak self] request in
                    if let response = fault(request) { return response }
                    let number = request.parameters["number"] ?? ""
                    self?.state.withLock { $0.parts[number] = request.body }
                    return .status(.ok).field(.etag, "\"tag-\(number)\"")
                }
            }
        }

        private final class Box: Sendable {
            let answer = Mutex<@Sendable (MockRequest) -> MockResponse>({ _ in .status(500) })
        }

        func plan(_ partSize: Int64 = 100_000) -> UploadParts<String> {
            UploadParts(partSize: partSize) { [server] part in
                try HTTPRequest(method: .put, url: "\(server.url)/parts/\(part.number)?signature=x")
            } complete: { [self] finished in
                state.withLock { $0.completed = finished.map { ($0.number, $0.etag) } }
                return "film"
            } abort: { [self] in
                state.withLock { $0.aborts += 1 }
            }
        }

        /// The parts in order.
        var whole: Data {
            state.withLock { state in
                (1...max(1, state.parts.count)).reduce(into: Data()) { $0 += state.parts["\($1)"] ?? Data() }
            }
        }
    }

    @Test("B10 all parts are sent at once, and completed with their tags in order")
    func complete() async throws {
        let (peer, store) = (try await UploadPeer(450_000), try await Store())
        let upload = peer.api.upload(peer.file, to: .parts(store.plan()))
        var last = TransferProgress()
        for await progress in upload.progress { last = progress }
        #expect(try await upload.value == "film")
        #expect(store.whole == peer.content.data)
        #expect(store.state.withLock { $0.completed.map(\.0) } == [1, 2, 3, 4, 5])
        #expect(store.state.withLock { $0.completed.map(\.1) } == (1...5).map { "\"tag-\($0)\"" })
        #expect(store.state.withLock(\.aborts) == 0)
        #expect(last.completed == 450_000)
    }

    @Test("B10 the parts' requests get no credentials, cookies and default fields of the client")
    func secrets() async throws {
        let store = try await Store()
        let peer = try await UploadPeer(client: {
            $0.defaultFields["X-Key"] = "s3cret"
            $0.authentication = .credential(.bearer("s3cret"))
        })
        _ = try await peer.api.upload(peer.file, to: .parts(store.plan())).value
        #expect(store.server.requests.count == 3)
        #expect(store.server.requests.allSatisfy { $0.fields.allSatisfy { !$0.value.contains("s3cret") } })
    }

    @Test("B10 a part that fails is sent again, with a new URL after a refusal", arguments: [403, 500, 503])
    func again(code: Int) async throws {
        let turn = Turn()
        let store = try await Store { _ in turn.next() == 1 ? .status(code) : nil }
        let peer = try await UploadPeer()
        _ = try await peer.api.upload(peer.file, to: .parts(store.plan())).value
        #expect(store.whole == peer.content.data)
        #expect(store.server.requestCount == 4)
    }

    @Test("B10 a failure removes the upload once", arguments: ["status", "tag", "request", "complete"])
    func failure(kind: String) async throws {
        let store = try await Store { _ in
            switch kind {
            case "status": .status(400)
            case "tag": .status(200)
            default: nil
            }
        }
        let peer = try await UploadPeer()
        let plan = store.plan()
        let faulty = UploadParts<String>(partSize: 100_000) { part in
            if kind == "request" { throw CocoaError(.fileNoSuchFile) }
            return try HTTPRequest(method: .put, url: "\(store.server.url)/parts/\(part.number)")
        } complete: { _ in
            throw CocoaError(.fileNoSuchFile)
        } abort: {
            store.state.withLock { $0.aborts += 1 }
        }
        let upload = peer.api.upload(peer.file, to: .parts(kind == "status" || kind == "tag" ? plan : faulty))
        #expect(await upload.failure() != nil)
        #expect(store.state.withLock(\.aborts) == 1)
        await #expect(throws: NetworkError.self) { try await upload.pause() }
        upload.cancel()
        #expect(store.state.withLock(\.aborts) == 1)
    }

    @Test("B10 a canceled upload is removed")
    func cancel() async throws {
        let store = try await Store { _ in .hang }
        let peer = try await UploadPeer()
        let upload = peer.api.upload(peer.file, to: .parts(store.plan()))
        while store.server.requestCount < 3 { try await Task.sleep(for: .milliseconds(1)) }
        upload.cancel()
        #expect(await upload.failure()?.kind == .cancelled)
        #expect(store.state.withLock(\.aborts) == 1)
    }

    @Test("B10 a paused upload keeps its parts, and another client sends the rest")
    func pause() async throws {
        let hangs = Mutex(true)
        let store = try await Store { request in
            hangs.withLock(\.self) && request.path.hasSuffix("/3") ? .hang : nil
        }
        let peer = try await UploadPeer(450_000)
        let upload = peer.api.upload(peer.file, to: .parts(store.plan()) { $0.parallelParts = 1 })
        while store.server.requestCount < 3 { try await Task.sleep(for: .milliseconds(1)) }
        let data = try JSONEncoder().encode(try await upload.pause())
        let ticket = try JSONDecoder().decode(UploadTicket.self, from: data)
        #expect(ticket.offset == 200_000)
        #expect(store.state.withLock(\.aborts) == 0)
        hangs.withLock { $0 = false }
        let plain = await peer.api.resume(ticket).failure()
        guard case .invalidRequest = plain?.kind else {
            Issue.record("\(String(describing: plain))")
            return
        }
        let api = APIClient.eager(peer.server)
        #expect(try await api.resume(ticket, parts: store.plan()).value == "film")
        #expect(store.whole == peer.content.data)
        #expect(store.server.requestCount == 6)
        #expect(store.state.withLock { $0.completed.map(\.0) } == [1, 2, 3, 4, 5])
    }
}
