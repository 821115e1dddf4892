import Glibc
@testable import GodwitSockets
import Testing

@Suite("T21 the poller")
struct PollerTests {
    /// Counts the events of a descriptor.
    private final class Target: PollTarget {
        var reports: [UInt32] = []
        var onReady: () -> Void = {}

        func ready(_ events: UInt32) {
            reports.append(events)
            onReady()
        }
    }

    private func makePair() -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends)
        return (ends[0], ends[1])
    }

    @Test("T21 a descriptor whose number was another's before gets none of its events")
    func reusedNumber() throws {
        let poller = try #require(Poller())
        let wait = poller.makeWait()
        let (first, firstPeer) = makePair()
        let (second, secondPeer) = makePair()
        let (early, late, successor) = (Target(), Target(), Target())
        #expect(poller.add(first, early) && poller.add(second, late))
        // Both have events. Who gets his first closes the other's descriptor, and its number is used again.
        var spare: (Int32, Int32) = (-1, -1)
        let replace = { (descriptor: Int32) in
            poller.remove(descriptor)
            close(descriptor)
            spare = makePair()
            #expect(spare.0 == descriptor || spare.1 == descriptor)
            #expect(poller.add(descriptor, successor))
        }
        early.onReady = { if late.reports.isEmpty { replace(second) } }
        late.onReady = { if early.reports.isEmpty { replace(first) } }
        wait.wait(milliseconds: 1000)
        poller.report(wait)
        #expect(early.reports.count + late.reports.count == 1)
        #expect(successor.reports.isEmpty)
        wait.wait(milliseconds: 1000)
        poller.report(wait)
        #expect(successor.reports == [Poller.writable])
        for descriptor in Set([first, firstPeer, second, secondPeer, spare.0, spare.1]) { close(descriptor) }
    }

    @Test("T25 a paused descriptor reports nothing, and what is there once it is resumed")
    func paused() throws {
        let poller = try #require(Poller())
        let wait = poller.makeWait()
        let (descriptor, peer) = makePair()
        let target = Target()
        #expect(poller.add(descriptor, target))
        wait.wait(milliseconds: 1000)
        poller.report(wait)
        #expect(target.reports == [Poller.writable])
        poller.pause(descriptor)
        #expect(write(peer, "x", 1) == 1)
        wait.wait(milliseconds: 0)
        poller.report(wait)
        #expect(target.reports.count == 1)
        poller.resume(descriptor)
        wait.wait(milliseconds: 1000)
        poller.report(wait)
        #expect(target.reports.count == 2)
        #expect(target.reports.last == Poller.readable | Poller.writable)
        close(descriptor)
        close(peer)
    }
}
