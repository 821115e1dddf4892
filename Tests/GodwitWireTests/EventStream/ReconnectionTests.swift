import GodwitWire
import GodwitTesting
import Testing

@Suite("R4 when to reconnect")
struct ReconnectionTests {
    private let backoff = Backoff(base: .seconds(1), cap: .seconds(8))

    /// The longest of many draws after each of so many failures in a row.
    private func ceilings(_ count: Int, _ change: (inout Reconnection) -> Void = { _ in }) -> [Duration] {
        var longest = [Duration](repeating: .zero, count: count)
        for seed in 0..<200 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var reconnection = Reconnection(backoff, longest: .seconds(60))
            change(&reconnection)
            for index in 0..<count {
                let delay = reconnection.delay(afterConnectionOf: .zero, asked: nil, using: &generator)
                longest[index] = max(longest[index], delay)
            }
        }
        return longest
    }

    @Test("R4 delays grow up to the cap")
    func growth() {
        for (longest, ceiling) in zip(ceilings(7), [1, 2, 4, 8, 8, 8, 8]) {
            #expect(longest <= .seconds(ceiling))
            #expect(longest > .seconds(Double(ceiling) * 0.9))
        }
    }

    @Test("R4 the server's delay is the minimum, and jitter is added")
    func serverDelay() {
        var generator = SeededGenerator(seed: 1)
        var reconnection = Reconnection(backoff, longest: .seconds(60))
        reconnection.serverDelay = .seconds(3)
        let delays = (0..<50).map { _ in
            reconnection.delay(afterConnectionOf: .zero, asked: nil, using: &generator)
        }
        #expect(delays.allSatisfy { $0 >= .seconds(3) && $0 <= .seconds(11) })
        #expect(Set(delays).count == 50)
        #expect(reconnection.delay(afterConnectionOf: .zero, asked: .seconds(60), using: &generator) >= .seconds(60))
    }

    @Test("R4 the server's delay is bounded, whichever way it asks")
    func bound() {
        var generator = SeededGenerator(seed: 1)
        let year = Duration.seconds(31_536_000)
        for (serverDelay, asked) in [(year, nil), (.zero, year), (year, year)] as [(Duration, Duration?)] {
            var reconnection = Reconnection(Backoff(base: .zero), longest: .seconds(60))
            reconnection.serverDelay = serverDelay
            let delay = reconnection.delay(afterConnectionOf: .zero, asked: asked, using: &generator)
            #expect(delay == .seconds(60))
        }
    }

    @Test("R4 an event, or a connection longer than the cap, restarts the count")
    func progress() {
        var generator = SeededGenerator(seed: 1)
        var reconnection = Reconnection(backoff, longest: .seconds(60))
        for _ in 0..<5 { _ = reconnection.delay(afterConnectionOf: .zero, asked: nil, using: &generator) }
        #expect(reconnection.failures == 5)
        reconnection.noteProgress()
        _ = reconnection.delay(afterConnectionOf: .zero, asked: nil, using: &generator)
        #expect(reconnection.failures == 1)
        _ = reconnection.delay(afterConnectionOf: .zero, asked: nil, using: &generator)
        #expect(reconnection.delay(afterConnectionOf: .seconds(9), asked: nil, using: &generator) <= .seconds(1))
        #expect(reconnection.failures == 1)
    }
}
