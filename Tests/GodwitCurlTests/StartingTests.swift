import Godwit
import GodwitCurl
import Testing

@Suite("T13 the order of starting")
struct StartingTests {
    @Test("T13 groups take turns, each in its own order")
    func turns() {
        var queue = StartQueue<String, Int>()
        for number in 0..<4 { queue.append(number, to: "crowd") }
        queue.append(10, to: "other")
        queue.append(20, to: "third")
        var order: [Int] = []
        while let element = queue.popFirst() { order.append(element) }
        #expect(order == [0, 10, 20, 1, 2, 3])
        #expect(queue.isEmpty && !queue.isReady)
    }

    @Test("T13 a held group has no turn until it is released, but single elements can be taken")
    func held() {
        var queue = StartQueue<String, Int>()
        for number in 0..<4 { queue.append(number, to: "held", isHeld: true) }
        #expect(!queue.isReady && !queue.isEmpty)
        #expect(queue.popFirst() == nil)
        #expect(queue.firstHeld("held") == 0)
        #expect(queue.popHeld("held") == 0)
        #expect(queue.firstHeld("held") == 1)
        #expect(queue.popHeld("other") == nil)
        queue.append(9, to: "other")
        #expect(queue.popFirst() == 9)
        var all: [Int] = []
        queue.forEach { all.append($0) }
        #expect(all == [1, 2, 3])
        queue.release("held")
        queue.release("held")
        #expect(queue.popHeld("held") == nil)
        #expect([queue.popFirst(), queue.popFirst(), queue.popFirst(), queue.popFirst()] == [1, 2, 3, nil])
        #expect(queue.isEmpty)
    }

    @Test("T13 ten thousand elements of many groups are each taken once")
    func many() {
        var queue = StartQueue<Int, Int>()
        for number in 0..<10_000 { queue.append(number, to: number % 1500) }
        var seen: Set<Int> = []
        while let element = queue.popFirst() { #expect(seen.insert(element).inserted) }
        #expect(seen.count == 10_000)
    }

    @Test("T13 eight exchanges may start until an origin was reached, and then all")
    func admission() throws {
        let origin = try HTTPURL("https://service.example/").origin
        let other = try HTTPURL("https://other.example/").origin
        var admission = Admission()
        for _ in 0..<Admission.mostProbes { #expect(admission.admit(origin) == (true, true)) }
        #expect(admission.admit(origin) == (false, false))
        #expect(admission.admit(other) == (true, true))
        let mayFollow = admission.ended(origin)
        #expect(mayFollow)
        #expect(admission.admit(origin) == (true, true))
        #expect(admission.admit(origin) == (false, false))
        admission.established(origin)
        for _ in 0..<100 { #expect(admission.admit(origin) == (true, false)) }
        let isCounted = admission.ended(origin)
        #expect(!isCounted)
    }
}
