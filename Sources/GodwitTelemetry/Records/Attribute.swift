import GodwitCore

/// A named value of a span, a metric or a resource.
struct Attribute: Sendable, Hashable {
    enum Value: Sendable, Hashable {
        case string(String)
        case integer(Int64)
    }

    let name: String
    let value: Value

    init(_ name: String, _ value: String) {
        (self.name, self.value) = (name, .string(value))
    }

    init(_ name: String, _ value: some BinaryInteger) {
        (self.name, self.value) = (name, .integer(Int64(clamping: value)))
    }

    /// `KeyValue`.
    func write(to writer: inout some MessageWriter) {
        writer.string(1, "key", name)
        writer.message(2, "value") { writer in
            switch value {
            case .string(let text): writer.string(1, "stringValue", text)
            case .integer(let number): writer.integer(3, "intValue", number)
            }
        }
    }
}

extension MessageWriter {
    mutating func attributes(_ number: Int, _ attributes: [Attribute]) {
        messages(number, "attributes", attributes) { $1.write(to: &$0) }
    }
}

/// The program that exports, and the library that observed it.
struct Resource: Sendable {
    let attributes: [Attribute]

    init(service: String, _ others: [String: String]) {
        var all = others
        all["service.name"] = service
        all["telemetry.sdk.name"] = "godwit"
        all["telemetry.sdk.language"] = "swift"
        all["telemetry.sdk.version"] = Self.version
        attributes = all.sorted { $0.key < $1.key }.map { Attribute($0.key, $0.value) }
    }

    static let version = "0.1"

    /// The fields of `ResourceSpans` or `ResourceMetrics` around the records of the one scope.
    func write<Writer: MessageWriter>(
        to writer: inout Writer, scopes: StaticString, _ records: (inout Writer) -> Void
    ) {
        writer.message(1, "resource") { $0.attributes(1, attributes) }
        writer.message(list: 2, scopes) { writer in
            writer.message(1, "scope") { writer in
                writer.string(1, "name", "Godwit")
                writer.string(2, "version", Self.version)
            }
            records(&writer)
        }
    }
}

extension MessageWriter {
    /// A list of one message.
    mutating func message(list number: Int, _ name: StaticString, _ write: (inout Self) -> Void) {
        messages(number, name, CollectionOfOne(())) { writer, _ in write(&writer) }
    }
}
