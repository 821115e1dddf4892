import Glibc
import Godwit
import GodwitTesting
import PeerSupport
import Testing

/// A POST that fails anywhere between the first byte and the last, by the standard client with its retries.
@Suite("Contract: a POST is sent once", .timeLimit(.minutes(15)))
struct SentOnceTests {
    /// Where the server fails.
    enum Fault: String, CaseIterable, Sendable, Codable {
        case beforeReading, afterHead, withinContent, afterContent, withinAnswerHead, withinAnswerContent
        case unavailable, badGateway, silence

        /// What the server does with a request whose head it has read. A connection that it closes after an answer is announced as
        /// such: otherwise the next attempt may take it, and the engine's own repetition counts as one.
        fileprivate func answer(on connection: Listener.Connection) {
            switch self {
            case .beforeReading, .afterHead: break
            case .withinContent: connection.skip(1000)
            case .afterContent: connection.skip(SentOnceTests.size)
            case .withinAnswerHead: finish(connection, "HTTP/1.1 200 OK\r\nConte")
            case .withinAnswerContent: finish(connection, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            case .unavailable: finish(connection, "HTTP/1.1 503 -\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            case .badGateway:
                finish(connection, "HTTP/1.1 502 -\r\nConnection: close\r\nContent-Length: 0\r\nRetry-After: 0\r\n\r\n")
            case .silence:
                connection.skip(SentOnceTests.size)
                connection.waitUntilPeerLeaves()
            }
        }

        private func finish(_ connection: Listener.Connection, _ answer: String) {
            connection.skip(SentOnceTests.size)
            connection.write(answer)
        }
    }

    private static let size = 100_000

    /// Counts the heads it reads, and keeps their keys.
    private func server(_ fault: Fault, heads: Watched<[String]>) throws -> Listener {
        let listener = try Listener()
        listener.serve { connection in
            if fault == .beforeReading { return }
            guard let head = connection.readHead() else { return }
            heads.update { $0.append(head) }
            fault.answer(on: connection)
        }
        return listener
    }

    private func client(
        _ subject: Subject, _ url: HTTPURL, configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> APIClient {
        APIClient(baseURL: url, transport: try subject.make()) {
            $0.timeouts.inactivity = .milliseconds(300)
            $0.retry.backoff = Backoff(base: .zero)
            configure(&$0)
        }
    }

    private var post: Endpoint<Void> { .post("order", body: .data(Data(count: Self.size))) }

    @Test(
        "M4 without an idempotency key the server never sees a second one", arguments: Subject.allCases, Fault.allCases)
    func once(_ subject: Subject, _ fault: Fault) async throws {
        let heads = Watched<[String]>([])
        let listener = try server(fault, heads: heads)
        let api = try client(subject, listener.url)
        await #expect(throws: NetworkError.self) { try await api.send(post) }
        await api.shutdown(.cancelling)
        #expect(heads.value.count == (fault == .beforeReading ? 0 : 1))
        #expect(listener.connections == 1)
    }

    @Test(
        "M4 with a key it is sent again, three times at most, with the same key", arguments: Subject.allCases,
        Fault.allCases)
    func again(_ subject: Subject, _ fault: Fault) async throws {
        let heads = Watched<[String]>([])
        let listener = try server(fault, heads: heads)
        let api = try client(subject, listener.url) { $0.idempotencyKeys = [.post] }
        await #expect(throws: NetworkError.self) { try await api.send(post) }
        await api.shutdown(.cancelling)
        #expect(listener.connections == 3)
        let keys = heads.value.map { head in
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("idempotency-key:") }
        }
        #expect(keys.count == (fault == .beforeReading ? 0 : 3))
        #expect(Set(keys).count <= 1 && !keys.contains(nil))
    }
}
