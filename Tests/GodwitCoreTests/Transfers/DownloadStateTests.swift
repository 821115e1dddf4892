@testable import GodwitCore
import Testing

@Suite("B7 the decisions of a download")
struct DownloadStateTests {
    private static let validator = ResumeValidator.etag("\"a\"")

    private func state(isResumable: Bool = true, connections: Int = 1) throws -> DownloadState {
        let json = """
            {"version": 1, "url": "https://example.com/f", "destination": "/f", "isFolder": false, "offset": 0,
             "fields": [], "existingFile": "fail", "synchronizesToDisk": false}
            """
        let ticket = try JSONDecoder().decode(DownloadTicket.self, from: Data(json.utf8))
        return DownloadState(ticket, isResumable: isResumable, connections: connections)
    }

    private var whole: HTTPResponseHead { HTTPResponseHead(status: .ok, fields: [.etag: "\"a\""]) }

    private func part(_ range: String) -> HTTPResponseHead {
        HTTPResponseHead(status: .partialContent, fields: [.etag: "\"a\"", .contentRange: "bytes \(range)"])
    }

    @Test("B7 a download that breaks asks for the rest, and for the whole without a validator")
    func resuming() throws {
        var state = try state()
        #expect(state.step == .ask(.whole))
        _ = state.begin(whole, length: 100)
        state.add(40)
        #expect(state.step == .ask(.rest(from: 40, Self.validator)))
        _ = state.begin(HTTPResponseHead(status: .ok), length: 100)
        state.add(40)
        #expect(state.step == .ask(.whole))
        let isDropped = state.startOver(for: .whole)
        #expect(isDropped && state.received == 0)
    }

    @Test("B7 a request that is not a GET without a body is always for the whole")
    func notResumable() throws {
        var state = try state(isResumable: false, connections: 4)
        _ = state.begin(whole, length: 100)
        state.add(40)
        #expect(state.step == .ask(.whole))
    }

    @Test("B7 content in a coding is always asked for as a whole")
    func coded() throws {
        var state = try state(connections: 4)
        let (first, second) = (state.noteCoding(), state.noteCoding())
        #expect(first && !second)
        _ = state.begin(whole, length: 100)
        state.add(40)
        #expect(state.step == .ask(.whole))
    }

    @Test("B7 a response of known length is complete at its total, one of unknown length at its end")
    func completion() throws {
        var state = try state()
        _ = state.begin(whole, length: 100)
        state.add(60)
        state.finishResponse()
        #expect(state.step == .ask(.rest(from: 60, Self.validator)))
        state.proceed(part("60-99/100"), total: 100)
        state.add(40)
        state.finishResponse()
        #expect(state.step == .verify)
        _ = state.begin(whole, length: nil)
        state.add(7)
        state.finishResponse()
        #expect(state.step == .verify)
    }

    @Test("B7 after the first part the rest is fetched in ranges, and the ticket knows the gaps")
    func ranges() throws {
        var state = try state(connections: 4)
        #expect(state.step == .ask(.firstPart))
        let bytes = state.beginPart(part("0-9/100"))
        #expect(bytes == 0..<10)
        state.add(10)
        state.finishResponse()
        #expect(state.step == .fetchRanges(Self.validator, total: 100))
        state.startRanges(total: 100)
        let taken = [state.takeRange(upTo: 40), state.takeRange(upTo: 40), state.takeRange(upTo: 40)]
        #expect(taken == [10..<50, 50..<90, 90..<100])
        state.add(50..<90)
        #expect(state.received == 50 && state.ticket.offset == 10)
        state.add(10..<50)
        state.add(90..<100)
        state.finishRanges()
        #expect(state.step == .verify)
    }

    @Test("B7 a server without ranges is asked for the rest, or for the whole if the content changed")
    func rangeFaults() throws {
        var state = try state(connections: 4)
        let bytes = state.beginPart(whole)
        #expect(bytes == nil && state.step == .ask(.whole))
        for fault in [DownloadState.RangeFault.refused, .changed] {
            state = try self.state(connections: 4)
            _ = state.beginPart(part("0-9/100"))
            state.add(10)
            state.startRanges(total: 100)
            state.add(50..<90)
            state.finishRanges(fault)
            #expect(state.step == .ask(fault == .changed ? .whole : .rest(from: 10, Self.validator)))
        }
    }

    @Test("B7 content with a wrong digest is fetched again once if it had several parts")
    func mismatch() throws {
        var state = try state()
        _ = state.begin(whole, length: 100)
        let isRepeated = state.startOverAfterMismatch()
        #expect(!isRepeated)
        _ = state.begin(whole, length: 100)
        state.proceed(part("40-99/100"), total: 100)
        let isRepeatedWithParts = state.startOverAfterMismatch()
        #expect(isRepeatedWithParts && state.step == .ask(.whole))
    }

    @Test("B7 failures are counted since the last progress")
    func failures() throws {
        var state = try state()
        _ = state.begin(whole, length: 100)
        var counts = [state.noteFailure().count, state.noteFailure().count]
        state.add(1)
        counts += [state.noteFailure().count, state.noteFailure().count]
        #expect(counts == [1, 2, 1, 2])
    }

    @Test("B7 whoever comes last, the cancellation or the end of the run, discards what was received")
    func discarding() throws {
        var early = try state()
        let isOver = early.discard()
        let isDiscarded = early.end()
        #expect(!isOver && isDiscarded)
        var late = try state()
        let isDiscardedAtEnd = late.end()
        let isOverNow = late.discard()
        #expect(!isDiscardedAtEnd && isOverNow)
    }
}
