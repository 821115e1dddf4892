import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("V2 search model", .timeLimit(.minutes(15)))
@MainActor
struct SearchModelTests {
    private let clock = TestClock()
    private let searches = Watched<[String]>([])
    private let gate = Gate()

    private func makeModel(minimumLength: Int = 1) -> SearchModel<String> {
        SearchModel(debounce: .milliseconds(300), minimumLength: minimumLength, clock: clock) { [searches, gate] text in
            searches.update { $0.append(text) }
            return "\(text)\(try await gate.pass())"
        }
    }

    @Test("V2 a text is searched for once it has stood still; those typed before it are not")
    func debounces() async throws {
        let model = makeModel()
        gate.open(1)
        for text in ["t", "ti", "tid"] { model.text = text }
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(299))
        model.text = "tide"
        clock.advance(by: .milliseconds(1))
        try await clock.waitForSleepers()
        #expect(searches.value == [])
        clock.advance(by: .milliseconds(300))
        await until { model.value != nil }
        #expect(model.value == "tide1")
        #expect(searches.value == ["tide"])
        #expect(model.searchedText == "tide")
    }

    @Test("V2 the latest wins: a former search is canceled, and results stay visible until the next are there")
    func latestWins() async throws {
        let model = makeModel()
        gate.open(1)
        model.text = "a"
        try await clock.waitForSleepers()
        clock.advanceToNextSleeper()
        await until { model.value == "a1" }
        let history = History { model.value }
        model.text = "ab"
        try await clock.waitForSleepers()
        clock.advanceToNextSleeper()
        try await gate.waitForBeginning(of: 2)
        model.text = "abc"
        try await clock.waitForSleepers()
        clock.advanceToNextSleeper()
        try await gate.waitForBeginning(of: 3)
        try await gate.waitForCancellation()
        #expect(model.value == "a1")
        #expect(model.searchedText == "a")
        #expect(model.state.isLoading)
        gate.open(3)
        await until { model.value == "abc3" }
        history.catchUp()
        #expect(history.values == ["a1", "abc3"])
    }

    @Test("V2 space around a text does not count, and a text that is too short forgets the results")
    func shortTexts() async throws {
        let model = makeModel(minimumLength: 2)
        gate.open(1)
        model.text = " ab \n"
        try await clock.waitForSleepers()
        clock.advanceToNextSleeper()
        await until { model.value != nil }
        #expect(searches.value == ["ab"])
        model.text = " a "
        #expect(model.value == nil)
        #expect("\(model.state)" == "idle")
        #expect(model.searchedText == nil)
        model.text = "abc"
        try await clock.waitForSleepers()
        model.text = ""
        for _ in 0..<100 { await Task.yield() }
        #expect(clock.sleeperCount == 0)
        #expect(searches.value == ["ab"])
    }

    @Test("V2 return searches immediately, and the text is not searched for again when its pause ends")
    func submit() async throws {
        let model = makeModel()
        gate.open(1)
        model.text = "tides"
        try await clock.waitForSleepers()
        await model.submit()
        #expect(model.value == "tides1")
        for _ in 0..<100 { await Task.yield() }
        #expect(clock.sleeperCount == 0)
        model.text = " "
        await model.submit()
        #expect(searches.value == ["tides"])
    }

    @Test("V2 a failed search can be tried again; canceling one is silent")
    func failures() async throws {
        let model = SearchModel(clock: clock) { [gate] text in
            let number = try await gate.pass()
            if number == 1 { throw NetworkError(.timedOut(.total), phase: .receiving) }
            return text
        }
        gate.open(1)
        model.text = "a"
        await model.submit()
        #expect(model.state.error?.kind == .timedOut(.total))
        gate.open(2)
        await model.retry()
        #expect(model.value == "a")
        model.text = "b"
        try await clock.waitForSleepers()
        clock.advanceToNextSleeper()
        try await gate.waitForBeginning(of: 3)
        model.cancel()
        #expect("\(model.state)" == "loaded(\"a\")")
        #expect(model.searchedText == "a")
        try await gate.waitForCancellation()
    }

    @Test("V2 a model that is released ends its wait and its search")
    func letGo() async throws {
        var model: SearchModel<String>? = makeModel()
        model?.text = "a"
        try await clock.waitForSleepers()
        clock.advanceToNextSleeper()
        try await gate.waitForBeginning(of: 1)
        model = nil
        try await gate.waitForCancellation()
        model = makeModel()
        model?.text = "a"
        try await clock.waitForSleepers()
        model = nil
        for _ in 0..<100 { await Task.yield() }
        #expect(clock.sleeperCount == 0)
    }
}
