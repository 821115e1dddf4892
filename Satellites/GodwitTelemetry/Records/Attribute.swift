import GodwitCore

/// A named value of a span, a metric or a resource.
struct Attribute: Sendable, Hashable {
    enum Value: Sendable, Hashable {
        case string(String)
        case integer(Int64)
        case boolean(Bool)
    }

    let name: String
    let value: Value

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = .string(value)
    }

    init(_ name: String, _ value: some BinaryInteger) {
        self.name = name
        self.value = .integer(Int64(clamping: value))
    }

    init(_ name: String, _ value: Bool) {
        self.name = name
        self.value = .boolean(value)
    }

    /// `KeyValue`.
    func write(to writer: inout some MessageWriter) {
        writer.string(1, "key", name)
        writer.message(2, "value") { writer in
            switch value {
            case .string(let text): writer.string(1, "stringValue", text)
            case .boolean(let isTrue): writer.bool(2, "boolValue", isTrue)
            case .integer(let number): writer.int64(3, "intValue", number)
            }
        }
    }
}

extension MessageWriter {
    mutating func attributes(_ number: Int, _ attributes: [Attribute]) {
        messages(number, "attributes", attributes) { $1.write(to: &$0) }
    }
}
