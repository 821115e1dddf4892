/// How parameters, forms and parts are written.
extension SupportText {
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
        import Godwit

        /// Cookies that the caller gives. The client's own cookies of other names are sent too.
        nonisolated enum CookieText {
            /// The text of a `Cookie` field; `nil` without a cookie.
            static func of(_ cookies: QueryItems) -> String? {
                let pairs = cookies.items.map { "\(encoded($0.name))=\(encoded($0.value ?? ""))" }
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
            static func of(_ value: (some Encodable)?, coding: JSONCoding = JSONCoding()) -> String? {
                guard let value, let data = try? coding.encode(value) else { return nil }
                return String(decoding: data, as: UTF8.self)
            }

            /// The value as JSON, but text without quotes, and the elements of an array one by one.
            static func plain(_ value: (some Encodable)?, coding: JSONCoding = JSONCoding()) -> QueryValue {
                guard let json = of(value, coding: coding), let root = try? JSONDocument(parsing: Data(json.utf8)).root,
                    root.kind != .null
                else { return .absent }
                return root.kind == .array ? .list(root.elements.map(plain)) : .text(plain(root))
            }

            /// A text without quotes, another value as it was encoded: numbers keep their digits.
            private static func plain(_ element: JSONElement) -> String {
                element.string ?? String(decoding: element.source, as: UTF8.self)
            }
        }

        """#

    static let bodyIfAny = #"""
        import Godwit

        nonisolated extension RequestBody {
            /// A form; `nil` if all fields are.
            static func formIfAny(_ items: QueryItems) -> RequestBody? { items.isEmpty ? nil : .form(items) }

            /// A multipart body; `nil` without a part.
            static func multipartIfAny(_ fill: (inout MultipartForm) -> Void) -> RequestBody? {
                var form = MultipartForm()
                fill(&form)
                return form.isEmpty ? nil : .multipart(form)
            }
        }

        """#

    static let typedPart = #"""
        import Godwit

        /// Parts of a multipart body that have a type of their own.
        nonisolated enum TypedPart {
            /// Adds a part for each item.
            static func add(_ items: QueryItems, to form: inout MultipartForm) {
                for item in items.items { form.field(item.name, item.value ?? "") }
            }

            /// Adds text of a type, or each text of a list.
            static func add(
                _ value: (some Encodable)?, named name: String, type: String? = nil, to form: inout MultipartForm,
                coding: JSONCoding = JSONCoding()
            ) {
                let type = type.flatMap(MediaType.init(_:))
                switch JSONText.plain(value, coding: coding) {
                case .text(let text): form.data(name, Data(text.utf8), type: type)
                case .list(let texts): for text in texts { form.data(name, Data(text.utf8), type: type) }
                case .absent, .flag: break
                }
            }

            /// Adds JSON.
            static func add(
                json value: (some Encodable)?, named name: String, type: String = "application/json",
                to form: inout MultipartForm, coding: JSONCoding = JSONCoding()
            ) {
                guard let json = JSONText.of(value, coding: coding) else { return }
                form.data(name, Data(json.utf8), type: MediaType(type))
            }

            /// Adds a part with JSON for each value.
            static func add(
                each values: [some Encodable]?, named name: String, type: String = "application/json",
                to form: inout MultipartForm, coding: JSONCoding = JSONCoding()
            ) {
                for value in values ?? [] { add(json: value, named: name, type: type, to: &form, coding: coding) }
            }
        }

        """#

    static let styledText = #"""
        import Godwit

        /// Values in parameters and forms, by what they are when they are sent (OpenAPI 3.1 section 4.8.12.4).
        nonisolated enum StyledText {
            private static func json(_ value: (some Encodable)?, _ coding: JSONCoding) -> JSONElement? {
                guard let value, let data = try? coding.encode(value) else { return nil }
                return try? JSONDocument(parsing: data).root
            }

            /// A text, a number or a Boolean as it is, anything else as JSON; `nil` for null. Numbers keep their digits.
            private static func text(_ value: JSONElement?) -> String? {
                guard let value, value.kind != .null else { return nil }
                if let integer = value.integer(Int64.self) { return String(integer) }
                return value.string ?? String(decoding: value.source, as: UTF8.self)
            }

            private static func members(_ object: JSONElement) -> [(key: String, value: JSONElement)] {
                object.members.filter { $0.value.kind != .null }.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
            }

            /// One text: `a,b` for an array, `x,1,y,2` for an object, or `x=1,y=2` if it explodes; `nil` for nothing.
            static func of(
                _ value: (some Encodable)?, by separator: String = ",", explodes: Bool = false,
                coding: JSONCoding = JSONCoding()
            ) -> String? {
                guard let json = json(value, coding) else { return nil }
                return switch json.kind {
                case .array: json.elements.compactMap(text).joined(separator: separator)
                case .object:
                    members(json).map { "\($0.key)\(explodes ? "=" : separator)\(text($0.value) ?? "")" }
                        .joined(separator: separator)
                default: text(json)
                }
            }

            /// `name=value`, repeated for an array; the members of an object by their own names.
            static func members(
                _ name: String, _ value: (some Encodable)?, coding: JSONCoding = JSONCoding()
            ) -> QueryItems {
                var items = QueryItems()
                let json = json(value, coding)
                if let json, json.kind == .object {
                    for member in members(json) { items.append(member.key, list(member.value)) }
                } else {
                    items.append(name, list(json))
                }
                return items
            }

            private static func list(_ value: JSONElement?) -> QueryValue {
                if let value, value.kind == .array { return .list(value.elements.compactMap(text)) }
                return text(value).map(QueryValue.text) ?? .absent
            }

            /// `name[x]=1&name[y][z]=2`, and `name[]=a` for each element of an array.
            static func deep(
                _ name: String, _ value: (some Encodable)?, coding: JSONCoding = JSONCoding()
            ) -> QueryItems {
                var items = QueryItems()
                if let json = json(value, coding) { add(json, name, &items) }
                return items
            }

            private static func add(_ value: JSONElement, _ name: String, _ items: inout QueryItems) {
                switch value.kind {
                case .object: for member in members(value) { add(member.value, "\(name)[\(member.key)]", &items) }
                case .array:
                    for (index, element) in value.elements.enumerated() {
                        // An index keeps the members of one object together.
                        add(element, element.kind == .object ? "\(name)[\(index)]" : name + "[]", &items)
                    }
                default: items.append(name, text(value))
                }
            }

            /// Several lists of items as one.
            static func items(_ lists: QueryItems...) -> QueryItems {
                lists.reduce(into: QueryItems()) { $0.append(contentsOf: $1) }
            }

            /// `;name=a;name=b` for an array, `;x=1;y=2` for an object, percent-encoded for a path.
            static func matrix(_ name: String, _ value: (some Encodable)?, coding: JSONCoding = JSONCoding()) -> String {
                members(name, value, coding: coding).items
                    .map { ";\(encoded($0.name))=\(encoded($0.value ?? ""))" }.joined()
            }

            /// All but letters, digits, `-._~` (RFC 3986 section 2.3), and `,` and `=` of lists and objects percent-encoded.
            static func encoded(_ value: some CustomStringConvertible) -> String {
                let hexadecimal = Array("0123456789ABCDEF")
                return value.description.utf8.reduce(into: "") { result, byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2C...0x2E, 0x3D, 0x5F, 0x7E:
                        result.unicodeScalars.append(Unicode.Scalar(byte))
                    default: result += "%\(hexadecimal[Int(byte >> 4)])\(hexadecimal[Int(byte & 15)])"
                    }
                }
            }
        }

        """#
}
