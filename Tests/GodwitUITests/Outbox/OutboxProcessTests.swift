#if canImport(Glibc)
import Glibc
import Godwit
import GodwitTesting
import GodwitUI
import Synchronization
import TestSupport
import Testing

@Suite("V5 outbox of processes that are killed", .timeLimit(.minutes(15)))
@MainActor
struct OutboxProcessTests {
    static let kills = ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] == "1" ? 200 : 10

    /// As outbox-writer's.
    private struct Line: OutboxMutation {
        let text: String

        static var name: String { "line" }
        var endpoint: Endpoint<Void> { .post("lines", body: .json(["text": text])) }
        var scope: String { String(text.prefix(1)) }

        func apply(to changes: QueryChanges) {}
    }

    /// What a server that knows idempotency keys has written.
    private final class Book: Sendable {
        private struct State {
            var lines: [String] = []
            var keys: Set<String> = []
            /// The key of the first attempt of each line that is refused.
            var refused: [String: String] = [:]
            var attempts = 0
        }

        private let state = Mutex(State())

        var lines: [String] { state.withLock(\.lines) }
        var attempts: Int { state.withLock(\.attempts) }

        /// Every fifth request is applied, and fails all the same. A line that ends with "!" is refused, until it comes with
        /// another key.
        func reply(to request: MockRequest) -> MockResponse {
            guard let key = request.fields[.idempotencyKey],
                let line = try? JSONDecoder().decode([String: String].self, from: request.body)["text"]
            else { return .status(.badRequest) }
            return state.withLock { state in
                state.attempts += 1
                if line.hasSuffix("!") {
                    let first = state.refused[line] ?? key
                    state.refused[line] = first
                    if first == key { return .status(.conflict) }
                }
                if state.keys.insert(key).inserted { state.lines.append(line) }
                return .status(state.attempts % 5 == 0 ? .serviceUnavailable : .noContent)
            }
        }
    }

    @Test("V5 what was added before a process was killed reaches the server once, in order")
    func killed() async throws {
        let (folder, book) = (TemporaryFolder(), Book())
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
        for scope in ["0", "1"] {
            // A line may be on the disk that wasn't said to be.
            let known = Set(added)
            #expect(
                lines.filter { $0.hasPrefix(scope) && known.contains($0) } == added.filter { $0.hasPrefix(scope) })
        }
        print("V5 outbox: \(added.count) mutations by \(Self.kills) killed processes, \(book.attempts) attempts")
    }

    @Test("V5 what was decided before a process was killed stays decided, and the mutations after it are sent in order")
    func decisions() async throws {
        let (folder, book) = (TemporaryFolder(), Book())
        let server = try await MockServer { $0.post("/lines").reply { book.reply(to: $0) } }
        var said = Said()
        for round in 0..<Self.kills {
            let name = "r\(round)"
            said.add(try await Self.write(to: server.url, folder.url, name, "decide", until: .random(in: 1...60)))
        }
        let api = APIClient(baseURL: server.url) { $0.retry.maximumAttempts = 1 }
        let outbox = try Outbox(QueryStore(api), in: folder.url, for: "ann", sending: [Line.self])
        while !outbox.items.isEmpty {
            await outbox.sendNow()
            for item in outbox.items where item.needsDecision { try await outbox.retry(item.id) }
        }
        await outbox.close()
        #expect(said.violations(of: book.lines) == [])
        print("V5 outbox: \(said.summary) by \(Self.kills) killed processes, \(book.attempts) attempts")
    }

    /// What processes have said that they did.
    private struct Said {
        private var lines: [String: [String]] = [:]

        /// Adds lines such as `retried 0-r1-3!`.
        mutating func add(_ said: [String]) {
            for words in said.map({ $0.split(separator: " ") }) where words.count == 2 {
                lines[String(words[0]), default: []].append(String(words[1]))
            }
        }

        var summary: String {
            lines.sorted { $0.key < $1.key }.map { "\($0.value.count) \($0.key)" }.joined(separator: ", ")
        }

        private func all(_ what: String) -> [String] { lines[what] ?? [] }

        /// What a server has that it must not have, or doesn't have.
        func violations(of book: [String]) -> [String] {
            let known = Set(book)
            var violations: [String] = []
            if known.count != book.count { violations.append("a line is there twice") }
            for line in all("added") where !line.hasSuffix("!") && !known.contains(line) {
                violations.append("\(line) is lost")
            }
            for line in all("added") where known.contains(line) && known.contains(line + "+") {
                violations.append("\(line) is there with its replacement")
            }
            for line in all("retried") where !known.contains(line) { violations.append("\(line) wasn't retried") }
            for line in all("replaced") where known.contains(line) || !known.contains(line + "+") {
                violations.append("\(line) wasn't replaced")
            }
            for line in all("discarded") where known.contains(line) || known.contains(line + "+") {
                violations.append("\(line) wasn't discarded")
            }
            return violations + disorder(of: book)
        }

        private func disorder(of book: [String]) -> [String] {
            let added = all("added")
            let known = Set(added)
            let sent = book.map { $0.hasSuffix("+") ? String($0.dropLast()) : $0 }
            return ["0", "1"].filter { scope in
                let inOrder = sent.filter { $0.hasPrefix(scope) && known.contains($0) }
                let there = Set(inOrder)
                return inOrder != added.filter { $0.hasPrefix(scope) && there.contains($0) }
            }.map { "scope \($0) is out of order" }
        }
    }

    /// Runs a process that adds lines, and kills it after it has said that some are on the disk. Returns those.
    private static func write(
        to url: HTTPURL, _ folder: URL, _ name: String, _ mode: String? = nil, until count: Int
    ) async throws -> [String] {
        let path = try #require(ChildProgram.built("OutboxWriter")).path
        let pipe = try ChildProgram.Pipe()
        let program = try ChildProgram(
            [path, "\(url)", folder.path, name] + (mode.map { [$0] } ?? []), ChildProgram.Streams(output: pipe.writing))
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
