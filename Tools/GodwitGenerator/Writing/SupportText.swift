/// The text of types that are the same in all generated clients.
enum SupportText {
    static let day = #"""
        public import Godwit

        /// A day of the calendar without a time and a time zone: `2026-11-23` in JSON.
        nonisolated public struct Day: Codable, Sendable, Hashable, Comparable, CustomStringConvertible {
            public var year: Int
            public var month: Int
            public var day: Int

            public init(year: Int, month: Int, day: Int) {
                self.year = year
                self.month = month
                self.day = day
            }

            /// Reads `2026-11-23`; `nil` for other texts.
            public init?(_ text: String) {
                let parts = text.split(separator: "-", omittingEmptySubsequences: false)
                guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
                    let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
                    (1...12).contains(month), (1...31).contains(day)
                else { return nil }
                self.init(year: year, month: month, day: day)
            }

            /// The day of a point in time, in UTC or another time zone.
            ///
            /// - Parameter secondsFromGMT: The offset of the time zone.
            public init(_ date: Date, secondsFromGMT: Int = 0) {
                let text = (date + TimeInterval(secondsFromGMT)).formatted(.iso8601.year().month().day())
                self = Day(text) ?? Day(year: 1970, month: 1, day: 1)
            }

            /// `2026-11-23`
            public var description: String {
                "\(Self.padded(year, to: 4))-\(Self.padded(month, to: 2))-\(Self.padded(day, to: 2))"
            }

            private static func padded(_ number: Int, to width: Int) -> String {
                let digits = String(number)
                return String(repeating: "0", count: max(width - digits.count, 0)) + digits
            }

            public static func < (left: Day, right: Day) -> Bool {
                (left.year, left.month, left.day) < (right.year, right.month, right.day)
            }

            /// Also reads a date with a time, of which only the day is kept.
            public init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                let text = try container.decode(String.self)
                guard let day = Day(String(text.prefix(10))) else {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a day like 2026-11-23")
                }
                self = day
            }

            public func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(description)
            }
        }

        nonisolated extension Day: QueryConvertible {
            public var queryValue: QueryValue { .text(description) }
        }

        """#

    static let indirect = #"""
        /// A value in a box, for a type that contains itself.
        nonisolated public indirect enum Indirect<Value: Codable & Sendable & Hashable>: Codable, Sendable, Hashable {
            case value(Value)

            public init(_ value: Value) {
                self = .value(value)
            }

            public var value: Value {
                switch self {
                case .value(let value): value
                }
            }

            public init(from decoder: any Decoder) throws {
                self = .value(try Value(from: decoder))
            }

            public func encode(to encoder: any Encoder) throws {
                try value.encode(to: encoder)
            }
        }

        """#

    static let multipartFile = #"""
        public import Godwit

        /// A file in a multipart body.
        nonisolated public enum MultipartFile: Sendable {
            /// Data that is sent as a file with a name.
            case data(Data, fileName: String, type: MediaType? = nil)
            /// A file on disk, read while it is sent.
            case file(URL, type: MediaType? = nil)

            static func add(_ file: MultipartFile?, named name: String, to form: inout MultipartForm) {
                switch file {
                case .data(let data, let fileName, let type)?: form.data(name, data, fileName: fileName, type: type)
                case .file(let url, let type)?: form.file(name, at: url, type: type)
                case nil: break
                }
            }

            static func add(_ files: [MultipartFile]?, named name: String, to form: inout MultipartForm) {
                for file in files ?? [] { add(file, named: name, to: &form) }
            }
        }

        """#

    static let dynamicKey = #"""
        /// A key that is known only when a document is read.
        nonisolated struct DynamicKey: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) {
                self.stringValue = stringValue
            }

            init?(intValue: Int) { nil }

            /// The members of an object that aren't properties of its type.
            static func values<Value: Decodable>(
                from decoder: any Decoder, except known: Set<String>
            ) throws -> [String: Value] {
                let container = try decoder.container(keyedBy: DynamicKey.self)
                var values: [String: Value] = [:]
                for key in container.allKeys where !known.contains(key.stringValue) {
                    values[key.stringValue] = try container.decode(Value.self, forKey: key)
                }
                return values
            }

            static func encode<Value: Encodable>(_ values: [String: Value], to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: DynamicKey.self)
                for (key, value) in values { try container.encode(value, forKey: DynamicKey(stringValue: key)) }
            }
        }

        """#

    static let parameterText = #"""
        import Godwit

        nonisolated extension QueryConvertible {
            /// The value as the text of a header field.
            var headerText: String {
                switch queryValue {
                case .text(let text): text
                case .list(let texts): texts.joined(separator: ",")
                case .absent, .flag: ""
                }
            }
        }

        nonisolated extension Array where Element: QueryConvertible {
            /// The elements as one text: `a,b`.
            func joinedText(by separator: String) -> String {
                map(\.headerText).joined(separator: separator)
            }
        }

        """#

    static let cookieText = #"""
        /// Cookies that the caller gives. The client's own cookies of other names are sent too.
        nonisolated enum CookieText {
            /// The text of a `Cookie` field; `nil` if all values are.
            static func of(_ cookies: [(name: String, value: String?)]) -> String? {
                let pairs = cookies.compactMap { cookie in
                    cookie.value.map { "\(cookie.name)=\(encoded($0))" }
                }
                return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
            }

            /// With spaces, quotes, commas, semicolons, backslashes and all but ASCII percent-encoded (RFC 6265).
            private static func encoded(_ text: String) -> String {
                let hexadecimal = Array("0123456789ABCDEF")
                return text.utf8.reduce(into: "") { result, byte in
                    if byte > 0x20, byte < 0x7F, !"\"%,;\\".utf8.contains(byte) {
                        result.unicodeScalars.append(Unicode.Scalar(byte))
                    } else {
                        result += "%\(hexadecimal[Int(byte >> 4)])\(hexadecimal[Int(byte & 15)])"
                    }
                }
            }
        }

        """#

    static let jsonText = #"""
        import Godwit

        /// Values in parameters and forms that are more than one text.
        nonisolated enum JSONText {
            /// The value as JSON; `nil` for `nil`, and for a number that JSON can't write.
            static func of(_ value: (some Encodable)?) -> String? {
                guard let value, let data = try? JSONCoding().encode(value) else { return nil }
                return String(decoding: data, as: UTF8.self)
            }

            /// The value as JSON, but text without quotes, and the elements of an array one by one.
            static func plain(_ value: (some Encodable)?) -> QueryValue {
                let json = of(value)
                let decoded = json.flatMap { try? JSONCoding().decode(JSONValue.self, from: Data($0.utf8)) }
                guard let json, let decoded, decoded != .null else { return .absent }
                if case .array(let elements) = decoded { return .list(elements.compactMap { $0.string ?? of($0) }) }
                return .text(decoded.string ?? json)
            }

            /// The value as one text, with commas between the elements of an array; `nil` for `nil`.
            static func joined(_ value: (some Encodable)?) -> String? {
                switch plain(value) {
                case .text(let text): text
                case .list(let texts): texts.joined(separator: ",")
                case .absent, .flag: nil
                }
            }
        }

        """#

    static let endpointReading = #"""
        import Godwit

        nonisolated extension Endpoint where Response == Void {
            /// The endpoint with a response that is read from the whole body. Options are set on the result.
            func reading<Value: Sendable>(
                _ read: @escaping @Sendable (Data, HTTPResponseHead, JSONCoding) throws -> Value
            ) -> Endpoint<Value> {
                Endpoint<Value>(
                    method: method, path: path, query: query, fields: fields, body: body, accept: "application/json",
                    decode: read)
            }

            /// JSON, also if it is text, which an endpoint otherwise returns with its quotes.
            func json<Value: Decodable & Sendable>() -> Endpoint<Value> {
                reading { body, _, coding in try coding.decode(Value.self, from: body) }
            }

            /// JSON; `nil` for a success without a body.
            func jsonIfAny<Value: Decodable & Sendable>() -> Endpoint<Value?> {
                reading { body, head, coding in
                    let isEmpty = body.isEmpty || [204, 205].contains(head.status.code)
                    return isEmpty ? nil : try coding.decode(Value?.self, from: body)
                }
            }
        }

        """#

    static let objectShapes = #"""
        /// The shapes that an object has, by the members that each of them knows.
        nonisolated struct ObjectShapes<Shape> {
            private let members: Set<String>
            private var found: [(shape: Shape, known: Set<String>)] = []

            init(_ decoder: any Decoder) {
                let container = try? decoder.container(keyedBy: DynamicKey.self)
                members = Set(container?.allKeys.map(\.stringValue) ?? [])
            }

            /// Adds a shape that was decoded, unless it knows no member of an object that has some.
            mutating func add(_ shape: Shape?, _ keys: Set<String>) {
                let known = members.intersection(keys)
                if let shape, !known.isEmpty || members.isEmpty { found.append((shape, known)) }
            }

            /// The shape that knows most members, the first one of several; then those that know members that none before
            /// them knows.
            var all: [Shape] {
                var (result, rest, unknown): ([Shape], [(shape: Shape, known: Set<String>)], Set<String>) = ([], found, members)
                while let best = rest.indices.max(by: { Self.isLess(rest, unknown, $0, $1) }) {
                    let next = rest.remove(at: best)
                    guard result.isEmpty || !next.known.isDisjoint(with: unknown) else { break }
                    result.append(next.shape)
                    unknown.subtract(next.known)
                }
                return result
            }

            /// Whether a shape knows fewer of some members than another one, or as many and stands after it.
            private static func isLess(
                _ shapes: [(shape: Shape, known: Set<String>)], _ members: Set<String>, _ left: Int, _ right: Int
            ) -> Bool {
                let (one, other) = (shapes[left].known, shapes[right].known)
                let counts = (one.intersection(members).count, other.intersection(members).count)
                return counts.0 == counts.1 ? left > right : counts.0 < counts.1
            }
        }

        """#

    static let methodToken = #"""
        import Godwit

        nonisolated extension HTTPMethod {
            /// A method that has no name in Godwit. Only tokens are written by the generator, so it is never `nil`.
            static func token(_ token: String) -> HTTPMethod { HTTPMethod(token) ?? .options }
        }

        """#
}
