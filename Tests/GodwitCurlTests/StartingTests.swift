import Godwit
import Testing

@testable import GodwitCurl
import GodwitSockets

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
        for _ in 0..<Admission.mostProbes {
            #expect(admission.place(at: origin) == .probe)
            admission.admitted(origin)
        }
        #expect(admission.place(at: origin) == .full)
        #expect(admission.place(at: other) == .probe)
        let mayFollow = admission.ended(origin)
        #expect(mayFollow)
        #expect(admission.place(at: origin) == .probe)
        admission.admitted(origin)
        #expect(admission.place(at: origin) == .full)
        admission.established(origin)
        #expect(admission.place(at: origin) == .open)
        let isCounted = admission.ended(origin)
        #expect(!isCounted)
    }

    @Test("T13 what is known about an exchange decides how it starts", arguments: StartCase.all)
    func decisions(_ row: StartCase) {
        #expect(row.facts.decision == row.decision)
    }

    @Test("T13 every combination of facts is refused, waits or begins by the first that applies")
    func allDecisions() {
        for bits in 0..<32 {
            for place in [Admission.Place.open, .probe, .full] {
                let facts = StartFacts(
                    isShutDown: bits & 1 != 0, isCancelled: bits & 2 != 0, lacksTLS: bits & 16 != 0,
                    lacksTrust: bits & 4 != 0, place: place, hasTurn: bits & 8 == 0)
                let holding: [StartDecision?] = [
                    facts.isShutDown ? .refuse(.shutDown) : nil,
                    facts.isCancelled ? .refuse(.cancelled) : nil,
                    facts.lacksTLS ? .refuse(.lacksTLS) : nil,
                    facts.lacksTrust ? .wait(.trust) : nil,
                    place == .full ? .wait(.connection) : nil,
                    facts.hasTurn ? nil : .wait(.turn),
                ]
                #expect(facts.decision == holding.compactMap(\.self).first ?? .begin, "\(facts)")
            }
        }
    }

    @Test("T13 only exchanges that can start, or only wait for their turn, count as probes")
    func probes() throws {
        var starts = Starts()
        let url = try HTTPURL("https://service.example/")
        func decide(_ facts: StartFacts = StartFacts(), mayShare: Bool = true) -> (StartDecision, isProbe: Bool) {
            let exchange = Exchange(HTTPRequest(url: url))
            return (starts.decide(exchange, facts, mayShare: mayShare), exchange.state.isProbe)
        }
        for _ in 0..<20 { #expect(decide(StartFacts(lacksTrust: true)) == (.wait(.trust), false)) }
        for _ in 0..<20 { #expect(decide(mayShare: false) == (.begin, false)) }
        starts.count = Starts.atOnce - 4
        for _ in 0..<4 { #expect(decide() == (.begin, true)) }
        starts.count = Starts.atOnce
        for _ in 0..<4 { #expect(decide() == (.wait(.turn), true)) }
        #expect(decide() == (.wait(.connection), false))
    }

    @Test("T13 the next of those held back tries when a probe ends, and all start when one has a connection")
    func heldBack() throws {
        var starts = Starts()
        let url = try HTTPURL("https://service.example/")
        func exchange() -> Exchange { Exchange(HTTPRequest(url: url)) }
        let probes = (0..<Admission.mostProbes).map { _ in exchange() }
        for probe in probes { #expect(starts.decide(probe, StartFacts(), mayShare: true) == .begin) }
        let held = (0..<3).map { _ in exchange() }
        for exchange in held { _ = starts.wait(exchange, for: .connection, at: .current()) }
        // It was canceled in the queue.
        held[0].state.wait(until: nil)
        #expect(!starts.isReady && !starts.isEmpty)
        #expect(starts.ended(probes[0]) === held[1])
        #expect(starts.ended(probes[0]) == nil)
        starts.reached(probes[1])
        #expect(starts.isReady && starts.next() === held[2])
        #expect(starts.isEmpty)
    }
}

/// A row of the table: what is known, and what follows.
struct StartCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let facts: StartFacts
    let decision: StartDecision

    private init(_ description: String, _ facts: StartFacts, _ decision: StartDecision) {
        (testDescription, self.facts, self.decision) = (description, facts, decision)
    }

    static let all: [StartCase] = [
        StartCase("nothing in the way", StartFacts(), .begin),
        StartCase("a probe", StartFacts(place: .probe), .begin),
        StartCase("others before it", StartFacts(hasTurn: false), .wait(.turn)),
        StartCase("a probe with others before it", StartFacts(place: .probe, hasTurn: false), .wait(.turn)),
        StartCase("enough probes", StartFacts(place: .full), .wait(.connection)),
        StartCase("enough probes, others before it", StartFacts(place: .full, hasTurn: false), .wait(.connection)),
        StartCase("no certificates", StartFacts(lacksTrust: true), .wait(.trust)),
        StartCase("no certificates, enough probes", StartFacts(lacksTrust: true, place: .full), .wait(.trust)),
        StartCase("HTTP/3 only, without TLS", StartFacts(lacksTLS: true), .refuse(.lacksTLS)),
        StartCase("HTTP/3 only, no turn", StartFacts(lacksTLS: true, hasTurn: false), .refuse(.lacksTLS)),
        StartCase("canceled", StartFacts(isCancelled: true), .refuse(.cancelled)),
        StartCase("canceled, HTTP/3 only", StartFacts(isCancelled: true, lacksTLS: true), .refuse(.cancelled)),
        StartCase("shut down", StartFacts(isShutDown: true), .refuse(.shutDown)),
        StartCase(
            "shut down, canceled", StartFacts(isShutDown: true, isCancelled: true), .refuse(.shutDown)),
        StartCase(
            "shut down, no certificates", StartFacts(isShutDown: true, lacksTrust: true), .refuse(.shutDown)),
    ]
}
