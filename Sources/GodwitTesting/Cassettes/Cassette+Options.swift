public import GodwitCore

extension Cassette {
    /// Whether a cassette replays or records.
    public enum Mode: String, Sendable, Hashable {
        /// It replays; without a file it cannot be made.
        case replay
        /// It records. The first exchange that is complete takes the place of what was in the file.
        case record
        /// It records where there is no file, else it replays.
        case recordOnce
    }

    /// Which recording answers which request.
    ///
    /// Method and URL are always compared.
    ///
    /// ```swift
    /// var matching = Cassette.Matching.lenient
    /// matching.fields = [.accept]
    /// matching.ignoredQueryItems = ["timestamp"]
    /// ```
    public struct Matching: Sendable, Hashable {
        /// In which order recordings are used.
        public enum Order: Sendable, Hashable {
            /// In the order in which they were recorded, each once.
            case recorded
            /// In any. Of several that fit each has its turn, and the last one answers from then on.
            case any
        }

        /// Whether contents are compared.
        public enum Content: Sendable, Hashable {
            /// JSON by its values, `multipart` whatever its boundary, all else byte for byte.
            case compared
            /// Not at all.
            case ignored
        }

        /// In which order recordings are used.
        public var order: Order

        /// Whether contents are compared. ``Content/compared`` by default.
        public var content = Content.compared

        /// The fields that are compared, beside method and URL. Empty by default.
        public var fields: Set<HTTPField.Name> = []

        /// Names of query items that are not compared, such as one that holds the time. Empty by default.
        public var ignoredQueryItems: Set<String> = []

        /// Makes the defaults for an order.
        ///
        /// - Parameter order: Whether requests have to come in the order in which they were recorded.
        public init(order: Order) {
            self.order = order
        }

        /// Each recording once, in order.
        public static let strict = Matching(order: .recorded)

        /// In any order, and as often as wanted.
        public static let lenient = Matching(order: .any)
    }

    /// What a cassette keeps.
    public struct Options: Sendable {
        /// What becomes of values that look like secrets.
        public enum Secrets: Sendable, Hashable {
            /// They are left out as from logs and archives.
            case scrubbed
            /// They are kept; the file is then a secret itself.
            case kept
        }

        /// What becomes of values that look like secrets. ``Secrets/scrubbed`` by default.
        public var secrets = Secrets.scrubbed

        /// Fields whose values are left out, beside those that look like secrets.
        public var redactedFields: Set<HTTPField.Name> = []

        /// Names of query items, form items and JSON members whose values are left out, beside those that look like
        /// secrets. Compared without case.
        public var redactedNames: Set<String> = []

        /// The most bytes that one content may have; more throws `.tooLarge`. 8 MiB by default.
        public var bodyLimit = 8 << 20

        /// The most bytes that the file may have; an exchange that would make it larger throws `.tooLarge`.
        ///
        /// 64 MiB by default. A file that is larger is not read.
        public var fileLimit = 64 << 20

        /// Makes the defaults.
        public init() {}
    }
}
