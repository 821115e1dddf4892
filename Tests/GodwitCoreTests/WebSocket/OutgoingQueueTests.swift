@testable import GodwitCore
import Testing

@Suite("W4 messages that wait for a connection")
struct OutgoingQueueTests {
    private func queue(_ limit: Int, _ overflow: ReconnectOptions.Overflow, _ texts: String...) -> (
        OutgoingQueue, [Bool]
    ) {
        var queue = OutgoingQueue(limit: limit, overflow: overflow)
        let results = texts.map { queue.append(.text($0)) }
        return (queue, results)
    }

    private func drained(_ queue: OutgoingQueue) -> [String] {
        var (queue, texts) = (queue, [String]())
        while case .text(let text)? = queue.take() {
            texts.append(text)
            queue.finish()
        }
        return texts
    }

    @Test(
        "W4 above the limit the overflow policy decides which message is dropped",
        arguments: [
            (2, .dropOldest, ["b", "c"], [true, true, true]), (2, .dropNewest, ["a", "b"], [true, true, true]),
            (2, .fail, ["a", "b"], [true, true, false]), (0, .dropOldest, [], [true, true, true]),
            (0, .fail, [], [false, false, false]), (.min, .dropNewest, [], [true, true, true]),
            (.max, .fail, ["a", "b", "c"], [true, true, true]),
        ] as [(Int, ReconnectOptions.Overflow, [String], [Bool])])
    func overflow(limit: Int, overflow: ReconnectOptions.Overflow, kept: [String], results: [Bool]) {
        let (queue, found) = queue(limit, overflow, "a", "b", "c")
        #expect(found == results)
        #expect(drained(queue) == kept)
    }

    @Test("W4 the message being sent is neither dropped nor counted, and those after it are sent once")
    func inHand() {
        var (queue, _) = queue(2, .dropOldest, "a", "b")
        let taken = [queue.take(), queue.take()]
        #expect(taken == [.text("a"), nil])
        let results = [queue.append(.text("c")), queue.append(.text("d"))]
        #expect(results == [true, true])
        queue.finish()
        #expect(drained(queue) == ["c", "d"])
    }

    @Test("W4 a message that could not be sent becomes the first again")
    func putBack() {
        var (queue, _) = queue(2, .dropOldest, "a", "b")
        _ = queue.take()
        queue.putBack()
        queue.putBack()
        #expect(drained(queue) == ["a", "b"])
        queue.removeAll()
        queue.putBack()
        #expect(drained(queue).isEmpty)
    }
}
