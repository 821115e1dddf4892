#if os(Linux)
import CGodwitCurl
import GodwitSockets

/// An engine's multi handles. One takes new exchanges; older ones finish those they have, after the network path changed or a
/// shared connection became too old.
final class MultiHandles {
    @exclusivity(unchecked) private(set) var current: MultiHandle
    @exclusivity(unchecked) private var retired: [MultiHandle] = []

    private let resources: ExchangeResources
    /// The fewest streams that a server allows on a connection.
    private var allowedStreams = Int.max

    init(_ resources: ExchangeResources) {
        self.resources = resources
        current = MultiHandle(resources.configuration, generation: 0, poller: resources.poller)
    }

    /// Calls the body with each.
    func forEach(_ body: (MultiHandle) -> Void) {
        body(current)
        for multi in retired { body(multi) }
    }

    func owner(of descriptor: Int32) -> MultiHandle {
        retired.isEmpty ? current : owner(resources.poller.generation(of: descriptor))
    }

    private func owner(_ generation: UInt32?) -> MultiHandle {
        retired.first { $0.generation == generation } ?? current
    }

    func remove(_ handle: EasyHandle) {
        (retired.isEmpty ? current : owner(handle.generation)).remove(handle)
    }

    /// An exchange's handle whose transfer has ended, and the result.
    func nextFinished() -> (EasyHandle, CURLcode)? {
        if let finished = current.nextFinished() { return finished }
        for multi in retired {
            if let finished = multi.nextFinished() { return finished }
        }
        return nil
    }

    /// libcurl learns from a new connection how many streams it may carry, after it has given it all that wait. So no new
    /// connection gets more than the fewest that a server allows.
    func limitStreams(to count: Int) {
        allowedStreams = count
        limitStreams(of: current)
    }

    private func limitStreams(of multi: MultiHandle) {
        multi.limitStreams(to: max(1, min(allowedStreams, resources.configuration.maximumStreamsPerConnection)))
    }

    /// The exchanges whose response is complete before their request, since the last call.
    func takeAnsweredEarly() -> [Exchange] {
        retired.reduce(current.takeAnsweredEarly()) { $0 + $1.takeAnsweredEarly() }
    }

    // MARK: Timers

    /// When libcurl has to be called again; nil for never.
    var deadline: LoopTime? {
        retired.reduce(current.deadline) { .earlier($0, $1.deadline) }
    }

    func actOnTimers(dueAt now: LoopTime) {
        forEach { $0.actOnTimers(dueAt: now) }
    }

    // MARK: Retiring

    /// New exchanges get new connections; those of the old multi handle end when their exchanges do.
    func retire() {
        retired.append(current)
        current = MultiHandle(
            resources.configuration, generation: current.generation + 1, poller: resources.poller)
        limitStreams(of: current)
    }

    func freeRetired() {
        guard !retired.isEmpty else { return }
        retired.removeAll { multi in
            if multi.count == 0 { multi.free() }
            return multi.count == 0
        }
    }

    /// Closes every connection.
    func free() {
        for multi in retired { multi.free() }
        retired = []
        current.free()
    }
}
#endif
