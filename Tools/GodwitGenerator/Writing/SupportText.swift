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
                self = .value(try decoder.singleValueContainer().decode(Value.self))
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

            /// - Parameter type: The type of a file that doesn't say its own.
            static func add(
                _ file: MultipartFile?, named name: String, type usual: String? = nil, to form: inout MultipartForm
            ) {
                let usual = usual.flatMap(MediaType.init(_:))
                switch file {
                case .data(let data, let fileName, let type)?:
                    form.data(name, data, fileName: fileName, type: type ?? usual)
                case .file(let url, let type)?: form.file(name, at: url, type: type ?? usual)
                case nil: break
                }
            }

            static func add(
                _ files: [MultipartFile]?, named name: String, type: String? = nil, to form: inout MultipartForm
            ) {
                for file in files ?? [] { add(file, named: name, type: type, to: &form) }
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

    static let operationServer = #"""
        import Godwit

        /// The base URL of an operation that has one of its own.
        nonisolated struct OperationServer: RequestOption, Hashable {
            static var defaultValue: OperationServer? { nil }

            var url: String
            /// The names of the environments that keep the operation.
            var exceptions: [String]
        }

        nonisolated extension Endpoint {
            /// Sends requests to a base URL of this operation alone.
            ///
            /// - Parameter exceptions: The names of the environments that the operation is sent to as others are.
            func server(_ url: String, except exceptions: [String] = []) -> Self {
                options { $0[OperationServer.self] = OperationServer(url: url, exceptions: exceptions) }
            }
        }

        /// Sends operations with base URLs of their own there.
        nonisolated struct OperationServers: RequestMiddleware {
            private let base: HTTPURL
            private let name: String

            /// `nil` for an environment that the document doesn't have, such as a mock: all operations are sent there.
            init?(_ environment: APIEnvironment, _ names: [String]) {
                guard names.contains(environment.name), let base = try? HTTPURL(environment.baseURL) else { return nil }
                self.base = base
                name = environment.name
            }

            /// The origins of base URLs, which get the client's credentials too.
            static func origins(_ urls: [String]) -> [Origin] { urls.compactMap { try? HTTPURL($0).origin } }

            func prepare(_ call: inout Call) throws(NetworkError) {
                guard let own = call.request.options[OperationServer.self], !own.exceptions.contains(name) else { return }
                var server = own.url
                if server.hasSuffix("/") { server.removeLast() }
                let prefix = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
                let path = call.request.url.path
                let rest = path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
                let query = call.request.url.query.map { "?" + $0 } ?? ""
                do throws(InvalidURL) {
                    call.request.url = try call.request.url.resolving(server + rest + query)
                } catch {
                    throw NetworkError(.invalidURL(reason: error.reason), phase: .building, request: call.request)
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
