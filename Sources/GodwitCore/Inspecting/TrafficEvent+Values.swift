extension TrafficEvent {
    /// All values of a query store, after one of them has changed.
    public struct StoredValues: Codable, Sendable {
        /// The number of the store, unique in the process.
        public var store: UInt64
        /// The first 500 values; empty once the store is released.
        public var values: [StoredValue]
        /// The number of further values.
        public var omitted: Int
    }

    /// A value or a list that screens share.
    public struct StoredValue: Codable, Sendable {
        /// The method of the endpoint that loads the value, such as `GET`.
        public var method: String
        /// The URL that the value is loaded from, with secrets redacted.
        public var url: String
        /// The name of the value's Swift type; for a list, that of its elements.
        public var type: String
        /// `idle`, `loading`, `loaded`, `complete` for a list without more pages, or `failed: ` and the stable name of the
        /// error's kind.
        public var state: String
        /// Whether the next load asks the server.
        public var isStale: Bool
        /// Whether it shows a mutation that the server hasn't confirmed.
        public var isEdited: Bool
        /// The number of loaded elements of a list; `nil` for a value.
        public var count: Int?
        /// The number of loaders that use the value.
        public var loaders: Int
        /// When the value was requested, in milliseconds since 1970; `nil` without a value.
        public var date: Double?
    }
}
