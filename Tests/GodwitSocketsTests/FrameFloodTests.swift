#if os(Linux)
@testable import GodwitSockets
import Testing

@Suite("Floods of frames")
struct FrameFloodTests {
    private static let second: Int64 = 1_000_000_000

    @Test("T22 as many frames in a second as the limit are none, one more is")
    func limit() {
        var flood = FrameFlood()
        let times = (0..<FrameFlood.limit).map { _ in flood.add(at: .zero) }
        #expect(!times.contains(true))
        let next = flood.add(at: .zero + (Self.second - 1))
        #expect(next)
    }

    @Test("T22 frames that are spread over time are no flood")
    func spread() {
        var flood = FrameFlood()
        let gap = Self.second / Int64(FrameFlood.limit)
        let times = (0..<Int64(FrameFlood.limit) * 3).map { flood.add(at: .zero + $0 * gap) }
        #expect(!times.contains(true))
    }

    @Test("T22 frames between bytes of a body are no flood")
    func useful() {
        var flood = FrameFlood()
        let times = (0..<FrameFlood.limit * 3).map { index in
            if index % FrameFlood.limit == 0 { flood.reset() }
            return flood.add(at: .zero)
        }
        #expect(!times.contains(true))
    }
}
#endif
