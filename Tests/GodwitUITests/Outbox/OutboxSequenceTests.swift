import Godwit
import GodwitTesting
import GodwitUI
import TestSupport
import Testing

@Suite("V5 random sequences of an outbox", .timeLimit(.minutes(15)))
@MainActor
struct OutboxSequenceTests {
    private static let variables = ProcessInfo.processInfo.environment
    private static let count = variables["GODWIT_TEST_SOAK"] == "1" ? 5000 : 50

    @Test("V5 whatever fails, conflicts, is decided or killed: no mutation is lost, and no effect stays without one")
    func sequences() async throws {
        if let seed = Self.variables["GODWIT_TEST_SEED"].flatMap({ UInt64($0) }) { return try await run(seed) }
        let first = UInt64.random(in: 0...(1 << 40))
        for seed in first..<first + UInt64(Self.count) { try await run(seed) }
    }

    /// Runs one sequence: `GODWIT_TEST_SEED` repeats it.
    private func run(_ seed: UInt64) async throws {
        let sequence = try OutboxSequence(seed: seed)
        let violations = try await sequence.run(steps: Int(seed % 60) + 10)
        #expect(violations.isEmpty, "seed \(seed): \(violations)\n\(sequence.log.joined(separator: "\n"))")
    }
}

/// An outbox of one user, its launches, and a server that fails in all ways.
@MainActor
private final class OutboxSequence {
    private let server = NoteServer(notes: 3)
    private let clock = TestClock()
    private let feed = PathFeed(NetworkPath(status: .satisfied, interfaces: [.wifi]))
    private var random: SplitMix
    private var launch: Launch
    private var lastMark = 0
    /// The note of each mark whose mutation is on the disk, and wasn't given up.
    private var kept: [Int: Int] = [:]
    private var violations: [String] = []
    private(set) var log: [String] = []

    init(seed: UInt64) throws {
        random = SplitMix(seed: seed)
        launch = try Launch(server, feed, clock, TemporaryFolder())
    }

    func run(steps: Int) async throws -> [String] {
        await launch.load()
        for _ in 0..<steps {
            try await step()
            for _ in 0..<Int.random(in: 0...20, using: &random) { await Task.yield() }
            check()
        }
        try await end()
        return violations
    }

    private func step() async throws {
        switch Int.random(in: 0..<16, using: &random) {
        case 0...4: try await add()
        case 5: setOffline(Bool.random(using: &random))
        case 6: setRefusal([.forbidden, .serviceUnavailable, .unauthorized, .conflict].randomElement(using: &random))
        case 7: setRefusal(nil)
        case 8: launch.line.state.update { $0.losesResponses.toggle() }
        case 9: editElsewhere()
        case 10, 11: try await decide()
        case 12: clock.advance(by: .seconds(Int.random(in: 1...400, using: &random)))
        case 13: await launch.outbox.sendNow()
        case 14: try await close()
        default: try await kill()
        }
    }

    private func newMark() -> Int {
        lastMark += 1
        return lastMark
    }

    private func mutation() -> MarkNote {
        let note = Int.random(in: 1...3, using: &random)
        return MarkNote(note: note, mark: newMark(), isConditional: Bool.random(using: &random))
    }

    private func add() async throws {
        let mutation = mutation()
        log.append("add \(mutation)")
        try await launch.outbox.add(mutation)
        kept[mutation.mark] = mutation.note
    }

    private func setOffline(_ isOffline: Bool) {
        log.append("offline \(isOffline)")
        server.state.update { $0.isOffline = isOffline }
        feed.update(
            NetworkPath(status: isOffline ? .unsatisfied : .satisfied, interfaces: isOffline ? [] : [.wifi]))
    }

    private func setRefusal(_ status: HTTPStatus?) {
        log.append("refusal \(String(describing: status))")
        server.state.update { $0.refusal = status }
    }

    /// Another user changes a note.
    private func editElsewhere() {
        let (note, mark) = (Int.random(in: 1...3, using: &random), 1000 + newMark())
        log.append("elsewhere \(note) \(mark)")
        server.state.update {
            $0.notes[note]?.version += 1
            $0.notes[note]?.marks.insert(mark)
        }
    }

    private func decide() async throws {
        guard let item = launch.outbox.items.filter(\.needsDecision).randomElement(using: &random),
            let mutation = item.mutation as? MarkNote
        else { return }
        let kind = Int.random(in: 0...3, using: &random)
        log.append("decide \(kind) \(mutation)")
        switch kind {
        case 0: await discard(item.id, mutation)
        case 1:
            let other = MarkNote(note: mutation.note, mark: newMark(), isConditional: mutation.isConditional)
            let retry = Task { [outbox = launch.outbox] in try await outbox.retry(item.id) }
            try await launch.outbox.replace(item.id, with: other)
            try await retry.value
            // The decision that came first counts.
            let isReplaced = launch.outbox.items.contains { ($0.mutation as? MarkNote)?.mark == other.mark }
            if isReplaced || server.state.value.notes[mutation.note]?.marks.contains(other.mark) == true {
                kept[mutation.mark] = nil
                kept[other.mark] = other.note
            }
        default: try await launch.outbox.retry(item.id)
        }
    }

    private func discard(_ id: OutboxItem.ID, _ mutation: MarkNote) async {
        kept[mutation.mark] = nil
        await launch.outbox.discard(id)
    }

    private func close() async throws {
        log.append("close")
        await launch.outbox.close()
        launch = try Launch(server, feed, clock, launch.folder)
        await launch.load()
    }

    /// Continues with the files of this moment, as after the end of the process.
    private func kill() async throws {
        log.append("kill")
        launch.line.state.update { $0.isCut = true }
        let copy = try launch.copyOfFolder()
        let former = launch
        launch = try Launch(server, feed, clock, copy)
        await former.outbox.close()
        await launch.load()
    }

    private func check() {
        for item in launch.outbox.items {
            guard let mutation = item.mutation as? MarkNote, let shown = launch.shown(mutation.note) else { continue }
            let isShown = shown.contains(mutation.mark)
            if item.state == .waiting, !isShown { violations.append("\(mutation) isn't visible") }
            let isApplied = server.state.value.notes[mutation.note]?.marks.contains(mutation.mark) == true
            if item.needsDecision, isShown, !isApplied { violations.append("the refused \(mutation) is visible") }
        }
    }

    private func end() async throws {
        log.append("end")
        setOffline(false)
        setRefusal(nil)
        launch.line.state.update { $0.losesResponses = false }
        for _ in 0..<200 where !launch.outbox.items.isEmpty {
            await launch.outbox.sendNow()
            for item in launch.outbox.items.filter(\.needsDecision) { try await launch.outbox.retry(item.id) }
        }
        if !launch.outbox.items.isEmpty { violations.append("\(launch.outbox.items) are left") }
        for (mark, note) in kept where server.state.value.notes[note]?.marks.contains(mark) != true {
            violations.append("\(mark) of \(note) is lost")
        }
        await launch.refresh()
        for note in 1...3 where launch.shown(note) != server.state.value.notes[note]?.marks {
            violations.append("\(note) is shown as \(String(describing: launch.shown(note)))")
        }
        await launch.outbox.close()
        if try !launch.folder.mutationFiles().isEmpty { violations.append("files are left") }
    }
}

/// One launch of the app.
@MainActor
private final class Launch {
    let folder: TemporaryFolder
    let line: Line
    let outbox: Outbox
    private let loaders: [Loader<Note>]

    init(_ server: NoteServer, _ feed: PathFeed, _ clock: TestClock, _ folder: TemporaryFolder) throws {
        (self.folder, line) = (folder, Line(server: server))
        let api = APIClient(baseURL: "https://api.example.com", transport: line) {
            $0.retry.maximumAttempts = 1
            $0.cache = .off
        }
        let queries = QueryStore(api, retryingWith: feed, clock: clock)
        loaders = (1...3).map { Loader(queries, .note($0)) }
        outbox = try Outbox(queries, in: folder.url, for: "ann", sending: [MarkNote.self])
    }

    func load() async {
        for loader in loaders { await loader.load() }
    }

    func refresh() async {
        for loader in loaders { await loader.refresh() }
    }

    func shown(_ note: Int) -> Set<Int>? { loaders[note - 1].value?.marks }

    func copyOfFolder() throws -> TemporaryFolder {
        let copy = TemporaryFolder()
        for user in try folder.names {
            let (from, to) = (folder.url.appending(path: user), copy.url.appending(path: user))
            try FileManager.default.createDirectory(
                at: to, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            // One that is removed meanwhile is missing.
            for name in try FileManager.default.contentsOfDirectory(atPath: from.path) where name != "lock" {
                try? FileManager.default.copyItem(at: from.appending(path: name), to: to.appending(path: name))
            }
        }
        return copy
    }
}

/// The connection of a launch to the server.
private struct Line: HTTPTransport {
    struct State: Sendable {
        /// Whether requests are executed, and their responses lost.
        var losesResponses = false
        /// Whether the process has ended.
        var isCut = false
    }

    let server: NoteServer
    let state = Watched(State())

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        guard !state.value.isCut else { throw NetworkError(.offline(.noPath), phase: .connecting, request: request) }
        let response = try await server.send(request)
        if request.method != .get, state.value.losesResponses || state.value.isCut {
            throw NetworkError(.transport(.connectionLost("")), phase: .receiving, request: request)
        }
        return response
    }
}
