import Synchronization

/// Reports the values of one store to an inspector.
package final class ValueInspection: Sendable {
    private static let lastStore = Atomic<UInt64>(0)
    private static let limit = 500

    private let recorder: TrafficRecorder
    private let store: UInt64

    package init(_ inspector: Inspector) {
        recorder = TrafficRecorder(inspector)
        store = Self.lastStore.wrappingAdd(1, ordering: .relaxed).newValue
    }

    deinit {
        report([])
    }

    /// Reports all values of the store.
    package func report(_ values: [(url: HTTPURL, value: TrafficEvent.StoredValue)]) {
        let shown = values.prefix(Self.limit)
        let content = TrafficEvent.StoredValues(
            store: store, values: shown.map(\.value), omitted: values.count - shown.count)
        recorder.add(0, .values(content, shown.map(\.url)))
    }
}

extension TrafficEvent.StoredValue {
    /// A value without its URL, which is added when secrets have been removed from it.
    package init(
        _ method: HTTPMethod, type: String, state: String, isStale: Bool, isEdited: Bool, count: Int?, loaders: Int,
        date: Date?
    ) {
        self.method = "\(method)"
        url = ""
        self.type = type
        self.state = state
        self.isStale = isStale
        self.isEdited = isEdited
        self.count = count
        self.loaders = loaders
        self.date = date.map { ($0.timeIntervalSince1970 * 1000).rounded() }
    }
}
