import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 G4 the values of a store in the inspector", .timeLimit(.minutes(15)))
@MainActor
struct QueryInspectionTests {
    private let server = NoteServer()
    private let clock = TestClock()
    private let reports = Watched<[TrafficEvent.StoredValues]>([])

    private func store() -> QueryStore {
        let api = server.client { [reports] in
            $0.inspector = .events { event in
                if let values = event.values { reports.update { $0.append(values) } }
            }
        }
        return QueryStore(api, clock: clock)
    }

    /// Lets time pass until the latest report meets a condition.
    @discardableResult
    private func report(
        where isMet: ([TrafficEvent.StoredValue]) -> Bool = { !$0.isEmpty }
    ) async throws -> TrafficEvent.StoredValues {
        while !(reports.value.last.map { isMet($0.values) } ?? false) {
            clock.advance(by: .milliseconds(250))
            await Task.yield()
            try Task.checkCancellation()
        }
        return try #require(reports.value.last)
    }

    @Test("V5 G4 values and lists are reported with their state, their loaders, and whether they are stale or edited")
    func states() async throws {
        let queries = store()
        let (note, list) = (Loader(queries, .note(1)), PageLoader(queries, .cursor { .notes(after: $0) }))
        await note.load()
        await list.load()
        let values = try await report { $0.count == 2 && $0.allSatisfy { $0.state == "loaded" } }.values
        #expect(values.map(\.url) == ["https://api.example.com/notes/1", "https://api.example.com/notes"])
        #expect(values.map(\.count) == [nil, 3])
        #expect(values.map(\.type) == ["Note", "Note"] && values.map(\.method) == ["GET", "GET"])
        #expect(values.map(\.loaders) == [1, 1] && values.allSatisfy { !$0.isStale && !$0.isEdited && $0.date != nil })
        server.hold()
        let mutation = Task { try await queries.mutate(.mark(1, 5)) { $0.update(Note.self, id: 1) { $0.marks = [5] } } }
        try await server.waitForRequests(3)
        try await report { $0.map(\.isEdited) == [true, true] }
        server.release()
        _ = try await mutation.value
        server.state.update { $0.isOffline = true }
        await note.refresh()
        try await report { $0.first?.state == "failed: offline" && $0.map(\.isEdited) == [false, false] }
    }

    @Test("V5 G4 changes within 250 ms are one report")
    func together() async throws {
        let queries = store()
        let loaders = (1...5).map { Loader(queries, .note($0)) }
        for loader in loaders { await loader.load() }
        #expect(try await report().values.count == 5)
        #expect(reports.value.count == 1)
    }

    @Test("V5 G4 secrets in a URL are redacted, and the values of a store that is released are removed")
    func release() async throws {
        var queries: QueryStore? = store()
        if let queries {
            await Loader(queries, Endpoint<NotePage>.get("notes", query: ["access_token": "s3cret"])).load()
        }
        let report = try await report()
        #expect(report.values.map(\.url) == ["https://api.example.com/notes?access_token=<redacted>"])
        queries = nil
        try await reports.wait { $0.last?.values.isEmpty == true }
        #expect(reports.value.last?.store == report.store)
    }

    @Test("V5 G4 more than 500 values are counted")
    func many() async throws {
        let queries = store()
        let loaders = (1...510).map { Loader(queries, .note($0)) }
        let report = try await report()
        #expect(report.values.count == 500 && report.omitted == 10 && loaders.count == 510)
        #expect(report.values.first?.state == "idle")
    }
}
