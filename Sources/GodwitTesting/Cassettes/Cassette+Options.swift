public import GodwitCore

extension Cassette {
    /// Whether a cassette replays or records.
    public enum Mode: String, Sendable, Hashable {
        /// Replays. Without a file, the initializer throws.
        case replay
        /// Records. The first complete exchange replaces the content of the file.
        case record
        /// Replays if the file exists, otherwise records.
        case recordOnce
    }

    /// Decides which recording answers a request.
    ///
    /// Method and URL are always compared.
    ///
    /// ```swift
    /// var matching = Cassette.Matching.lenient
    /// matching.fields = [.accept]
    /// matching.ignoredQueryItems = ["timestamp"]
    /// ```
    public struct Matching: Sendable, Hashable {
        /// The order in which recordings are used.
        public enum Order: Sendable, Hashable {
            /// In the recorded order, each once.
            case recorded
            /// In any order. Recordings that match equally are used in turn; the last one is then repeated.
            case any
        }

        /// Whether bodies are compared.
        public enum Content: Sendable, Hashable {
            /// JSON by value, `multipart` without regard to the boundary, anything else byte for byte.
            case compared
            /// Not compared.
            case ignored
        }

        /// The order in which recordings are used.
        public var order: Order

        /// Whether bodies are compared; ``Content/compared`` by default.
        public var content = Content.compared

        /// Header fields to compare in addition to method and URL. Empty by default.
        public var fields: Set<HTTPField.Name> = []

        /// Names of query items to ignore, such as a timestamp. Empty by default.
        public var ignoredQueryItems: Set<String> = []

        /// Creates rules with an order and the other default values.
        ///
        /// - Parameter order: Whether requests must come in the recorded order.
        public init(order: Order) {
            self.order = order
        }

        /// Each recording once, in order.
        public static let strict = Matching(order: .recorded)

        /// In any order, and repeatedly.
        public static let lenient = Matching(order: .any)
    }

    /// What a cassette keeps.
    public struct Options: Sendable {
        /// How values that look like secrets are treated.
        public enum Secrets: Sendable, Hashable {
            /// Redacted, as in logs and archives.
            case scrubbed
            /// Kept; treat the file as a secret.
            case kept
        }

        /// How values that look like secrets are treated; ``Secrets/scrubbed`` by default.
        public var secrets = Secrets.scrubbed

        /// Additional header fields whose values are redacted.
        public var redactedFields: Set<HTTPField.Name> = []

        /// Additional names of query items, form items and JSON members whose values are redacted. Case-insensitive.
        public var redactedNames: Set<String> = []

        /// Maximum bytes of one body; a larger body throws `.tooLarge`. 8 MiB by default.
        public var bodyLimit = 8 << 20

        /// Maximum bytes of the file; an exchange that exceeds it throws `.tooLarge`. 64 MiB by default.
        ///
        /// A larger file is not read.
        public var fileLimit = 64 << 20

        /// Creates options with default values.
        public init() {}
    }
}
