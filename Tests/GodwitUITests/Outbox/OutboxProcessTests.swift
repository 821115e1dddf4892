#if canImport(Glibc)
import Glibc
import Godwit
import GodwitTesting
import GodwitUI
import Synchronization
import TestSupport
import Testing

@Suite("V5 outbox of processes that are killed", .timeLimit(.minutes(5)))
@MainActor
struct OutboxProcessTests {
    static let kills = ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] == "1" ? 200 : 10

    /// As outbox-writer's.
    private struct Line: OutboxMutation {
        let text: String

        static var name: String { "line" }
        var endpoint: Endpoint<Void> { .post("lines", body: .json(["text": text])) }
        var order: String { String(text.prefix(1)) }

        func apply(to changes: QueryChanges) {}
    }

    /// What a server that knows idempotency keys has written.
    private final class Book: Sendable {
        private struct State {
            var lines: [String] = []
            var keys: Set<String> = []
            var attempts = 0
        }

        private let state = Mutex(State())

        var lines: [String] { state.withLock(\.lines) }
        var attempts: Int { state.withLock(\.attempts) }

        /// Every fifth request is applied, and fails all the same.
        func reply(to request: MockRequest) -> MockResponse {
            guard let key = request.fields[.idempotencyKey],
                let line = try? JSONDecoder().decode([String: String].self, from: request.body)["text"]
            else { return .status(.badRequest) }
            return state.withLock { state in
                state.attempts += 1
                if state.keys.insert(key).inserted { state.lines.append(line) }
                return .status(state.attempts % 5 == 0 ? .serviceUnavailable : .noContent)
            }
        }
    }

    @Test("V5 what was added before a process was killed reaches the server once, in order")
    func killed() async throws {
        let (folder, book) = (try TemporaryFolder(), Book())
        let server = try await MockServer { $0.post("/lines").reply { book.reply(to: $0) } }
        var added: [String] = []
        for round in 0..<Self.kills {
            added += try await Self.write(to: server.url, folder.url, "r\(round)", until: .random(in: 1...30))
        }
        let api = APIClient(baseURL: server.url) { $0.retry.maximumAttempts = 1 }
        let outbox = try Outbox(QueryStore(api), in: folder.url, for: "ann", sending: [Line.self])
        while !outbox.items.isEmpty { await outbox.sendNow() }
        await outbox.close()
        let lines = book.lines
        #expect(Set(added).isSubset(of: lines) && Set(lines).count == lines.count)
        for order in ["0", "1"] {
            // A line may be on the disk that wasn't said to be.
            let known = Set(added)
            #expect(
                lines.filter { $0.hasPrefix(order) && known.contains($0) } == added.filter { $0.hasPrefix(order) })
        }
        print("V5 outbox: \(added.count) mutations by \(Self.kills) killed processes, \(book.attempts) attempts")
    }

    /// Runs a process that adds lines, and kills it after it has said that some are on the disk. Returns those.
    private static func write(
        to url: HTTPURL, _ folder: URL, _ name: String, until count: Int
    ) async throws -> [String] {
        let path = try #require(ChildProgram.built("OutboxWriter")).path
        let pipe = try ChildProgram.Pipe()
        let program = try ChildProgram(
            [path, "\(url)", folder.path, name], ChildProgram.Streams(output: pipe.writing))
        let output = pipe.reading
        return await program.waiting {
            var text: [UInt8] = []
            while text.count(where: { $0 == UInt8(ascii: "\n") }) < count, read(output, &text) {}
            usleep(.random(in: 0...3000))
            program.signal(SIGKILL)
            while read(output, &text) {}
            close(output)
            _ = program.waitForEnd()
            // The last line may be cut.
            return text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Adds what can be read. Returns `false` at the end.
    nonisolated private static func read(_ descriptor: Int32, _ text: inout [UInt8]) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &chunk, chunk.count)
        if count > 0 { text += chunk[..<count] }
        return count > 0 || count < 0 && errno == EINTR
    }
}
#endif
