package import GodwitCore

/// The values of a query store, as the page shows them.
package struct StoreSummary: Codable, Sendable {
    /// The program, with its process ID.
    package let program: String
    /// Changes with each event.
    package var revision: UInt64
    /// No values mean that the store is gone.
    package var content: TrafficEvent.StoredValues

    private enum CodingKeys: String, CodingKey {
        case program = "p"
        case revision = "r"
        case content
    }
}

/// The query stores of all programs. Those whose values changed least recently are dropped first.
struct StoreList {
    private static let limit = 50
    private static let byteLimit = 8 << 20

    private var stores: [(summary: StoreSummary, size: Int)] = []

    /// - Parameter size: The bytes of the content as JSON.
    mutating func take(_ content: TrafficEvent.StoredValues, _ program: String, _ revision: UInt64, size: Int) {
        stores.removeAll { $0.summary.program == program && $0.summary.content.store == content.store }
        stores.append((StoreSummary(program: program, revision: revision, content: content), size))
        while stores.count > Self.limit || stores.reduce(0, { $0 + $1.size }) > Self.byteLimit { stores.removeFirst() }
    }

    /// Empties the stores, so that pages remove them. A store that changes later is shown again.
    mutating func removeAll(_ revision: UInt64) {
        for index in stores.indices {
            stores[index].summary.revision = revision
            stores[index].summary.content.values = []
            stores[index].size = 0
        }
    }

    func current(after revision: UInt64) -> [StoreSummary] {
        stores.map(\.summary).filter { $0.revision > revision }
    }
}
