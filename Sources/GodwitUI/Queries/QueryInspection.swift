import GodwitCore
import GodwitSupport
import Observation

/// Reports the values of a store to the inspector of its client, at most four times per second.
@MainActor
final class QueryInspection {
    private let values: ValueInspection
    private let timeline: Timeline
    private let entries: @MainActor () -> [QueryEntry]
    private var next: Task<Void, Never>?

    init(_ inspector: Inspector, _ timeline: Timeline, _ entries: @escaping @MainActor () -> [QueryEntry]) {
        values = ValueInspection(inspector)
        self.timeline = timeline
        self.entries = entries
    }

    deinit {
        next?.cancel()
    }

    /// Reports soon: further changes are reported with this one.
    func valuesChanged() {
        guard next == nil else { return }
        next = Task { [weak self, timeline] in
            guard (try? await timeline.sleep(for: .milliseconds(250))) != nil else { return }
            self?.report()
        }
    }

    private func report() {
        next = nil
        let observed = withObservationTracking {
            entries().compactMap(\.observed)
        } onChange: { [weak self] in
            Task { await self?.valuesChanged() }
        }
        values.report(observed)
    }
}

extension QueryEntry {
    fileprivate var observed: (url: HTTPURL, value: TrafficEvent.StoredValue)? {
        guard let identity else { return nil }
        let facts = cached.facts
        return (
            identity.url,
            TrafficEvent.StoredValue(
                identity.method, type: facts.type, state: facts.state, isStale: facts.isOutdated,
                isEdited: facts.hasEdit, count: facts.count, loaders: users, date: facts.date)
        )
    }
}
