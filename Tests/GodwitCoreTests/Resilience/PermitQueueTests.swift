@testable import GodwitCore
import GodwitTesting
import Testing

@Suite("M6 PermitQueue")
struct PermitQueueTests {
    /// A straightforward implementation of the same rules.
    private struct Model {
        var holders: [Int] = []
        var waiting: [(id: UInt64, host: Int)] = []
        let total: Int
        let perHost: Int

        func hasRoom(_ host: Int) -> Bool {
            holders.count < total && holders.count { $0 == host } < perHost
        }

        mutating func next() -> UInt64? {
            guard let index = waiting.firstIndex(where: { hasRoom($0.host) }) else { return nil }
            let next = waiting.remove(at: index)
            holders.append(next.host)
            return next.id
        }
    }

    @Test(
        "M6 random acquisitions, releases and cancellations match a straightforward implementation", arguments: 1...40)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let hosts = try (0..<4).map { try HTTPURL("https://h\($0).com").origin }
        let (total, perHost) = (Int.random(in: 1...6, using: &random), Int.random(in: 1...3, using: &random))
        var queue = PermitQueue(total: total, perHost: perHost)
        var model = Model(total: total, perHost: perHost)
        for _ in 1...2000 {
            let host = Int.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let id = queue.acquireOrWait(for: hosts[host])
                #expect((id == nil) == model.hasRoom(host))
                if let id { model.waiting.append((id, host)) } else { model.holders.append(host) }
            case 2, 3:
                guard let index = model.holders.indices.randomElement(using: &random) else { continue }
                let leaving = model.holders.remove(at: index)
                let next = queue.release(for: hosts[leaving])
                let expected = model.next()
                #expect(next == expected)
            default:
                guard let index = model.waiting.indices.randomElement(using: &random) else { continue }
                let gone = model.waiting.remove(at: index)
                let answers = (1...2).map { _ in queue.cancel(gone.id, for: hosts[gone.host]) }
                #expect(answers == [true, false])
            }
        }
        while let host = model.holders.popLast() {
            let next = queue.release(for: hosts[host])
            let expected = model.next()
            #expect(next == expected)
        }
        #expect(model.waiting.isEmpty)
        #expect(queue.isIdle)
    }
}
