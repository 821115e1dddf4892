import GodwitCore

/// Writes messages in OTLP's form of JSON: IDs in hexadecimal digits, enumerations as numbers, and integers of 64
/// bits as strings.
struct JSONWriter: MessageWriter {
    static var mediaType: MediaType { .json }

    var bytes: [UInt8] { body + "}".utf8 }

    private var body: [UInt8] = Array("{".utf8)

    mutating func string(_ number: Int, _ name: StaticString, _ value: String) {
        key(name)
        quote(value)
    }

    mutating func boolean(_ number: Int, _ name: StaticString, _ value: Bool) {
        key(name)
        body += (value ? "true" : "false").utf8
    }

    mutating func small(_ number: Int, _ name: StaticString, _ value: UInt32) {
        key(name)
        body += "\(value)".utf8
    }

    mutating func integer(_ number: Int, _ name: StaticString, _ value: Int64) {
        key(name)
        body += "\"\(value)\"".utf8
    }

    mutating func fixed(_ number: Int, _ name: StaticString, _ value: UInt32) {
        small(number, name, value)
    }

    mutating func fixed(_ number: Int, _ name: StaticString, _ value: UInt64) {
        key(name)
        body += "\"\(value)\"".utf8
    }

    mutating func double(_ number: Int, _ name: StaticString, _ value: Double) {
        key(name)
        append(value)
    }

    mutating func identifier(_ number: Int, _ name: StaticString, _ digits: String) {
        string(number, name, digits)
    }

    mutating func fixed(_ number: Int, _ name: StaticString, _ values: [UInt64]) {
        list(name, values) { writer, value in writer.body += "\"\(value)\"".utf8 }
    }

    mutating func doubles(_ number: Int, _ name: StaticString, _ values: [Double]) {
        list(name, values) { writer, value in writer.append(value) }
    }

    mutating func message(_ number: Int, _ name: StaticString, _ write: (inout Self) -> Void) {
        key(name)
        object(write)
    }

    mutating func messages<Element>(
        _ number: Int, _ name: StaticString, _ elements: some Sequence<Element>, _ write: (inout Self, Element) -> Void
    ) {
        list(name, elements) { writer, element in writer.object { write(&$0, element) } }
    }

    private mutating func object(_ write: (inout Self) -> Void) {
        body.append(UInt8(ascii: "{"))
        write(&self)
        body.append(UInt8(ascii: "}"))
    }

    private mutating func list<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>, _ write: (inout Self, Element) -> Void
    ) {
        key(name)
        body.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            write(&self, element)
        }
        body.append(UInt8(ascii: "]"))
    }

    private mutating func key(_ name: StaticString) {
        if body.last != UInt8(ascii: "{") { body.append(UInt8(ascii: ",")) }
        body.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { body += $0 }
        body += "\":".utf8
    }

    private mutating func append(_ value: Double) {
        if value.isFinite { body += "\(value)".utf8 } else { quote(Self.name(ofNonFinite: value)) }
    }

    private static func name(ofNonFinite value: Double) -> String {
        value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
    }

    private mutating func quote(_ text: String) {
        body.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                body.append(UInt8(ascii: "\\"))
                body.append(byte)
            case ..<0x20: body += "\\u00\(Hexadecimal.encode([byte]))".utf8
            default: body.append(byte)
            }
        }
        body.append(UInt8(ascii: "\""))
    }
}
