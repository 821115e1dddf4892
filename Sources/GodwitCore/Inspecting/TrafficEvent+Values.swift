extension TrafficEvent {
    /// All values of a query store, after one of them has changed.
    public struct StoredValues: Codable, Sendable {
        /// The number of the store, unique in the process.
        public var store: UInt64
        /// The first 500. Empty once the store is released.
        public var values: [StoredValue]
        /// The number of further values.
        public var omitted: Int
    }

    /// A value or a list that screens share.
    public struct StoredValue: Codable, Sendable {
        public var method: String
        /// Without secrets.
        public var url: String
        public var type: String
        /// `idle`, `loading`, `loaded`, `complete` for a list without more pages, or `failed: ` and the stable name of the
        /// error's kind.
        public var state: String
        /// Whether the next load asks the server.
        public var isStale: Bool
        /// Whether it shows a mutation that the server hasn't confirmed.
        public var isEdited: Bool
        /// The number of elements of a list.
        public var count: Int?
        /// How many loaders use it.
        public var loaders: Int
        /// When it was requested, in milliseconds since 1970.
        public var date: Double?
    }
}
