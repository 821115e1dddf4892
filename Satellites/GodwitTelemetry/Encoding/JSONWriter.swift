import GodwitCore
import GodwitSupport

/// Writes messages in OTLP's form of JSON: IDs in hexadecimal digits, enumerations as numbers, and integers of 64
/// bits as strings.
struct JSONWriter: MessageWriter {
    static var mediaType: MediaType { .json }

    var bytes: [UInt8] { body + "}".utf8 }

    private var body: [UInt8] = Array("{".utf8)

    mutating func string(_ number: Int, _ name: StaticString, _ value: String) {
        key(name)
        body += JSONMembers.quoted(value)
    }

    mutating func bool(_ number: Int, _ name: StaticString, _ value: Bool) {
        key(name)
        body += (value ? "true" : "false").utf8
    }

    mutating func enumeration(_ number: Int, _ name: StaticString, _ value: UInt32) {
        key(name)
        body += "\(value)".utf8
    }

    mutating func int64(_ number: Int, _ name: StaticString, _ value: Int64) {
        key(name)
        body += "\"\(value)\"".utf8
    }

    mutating func fixed32(_ number: Int, _ name: StaticString, _ value: UInt32) {
        enumeration(number, name, value)
    }

    mutating func fixed64(_ number: Int, _ name: StaticString, _ value: UInt64) {
        key(name)
        body += "\"\(value)\"".utf8
    }

    mutating func sfixed64(_ number: Int, _ name: StaticString, _ value: Int64) {
        int64(number, name, value)
    }

    mutating func double(_ number: Int, _ name: StaticString, _ value: Double) {
        key(name)
        append(value)
    }

    mutating func bytes(_ number: Int, _ name: StaticString, words: [UInt64]) {
        string(number, name, words.map { Hexadecimal.encode($0) }.joined())
    }

    mutating func fixed64(_ number: Int, _ name: StaticString, _ values: [UInt64]) {
        list(name, values) { writer, value in writer.body += "\"\(value)\"".utf8 }
    }

    mutating func double(_ number: Int, _ name: StaticString, _ values: [Double]) {
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
        body += (value.isFinite ? "\(value)" : "\"\(Self.name(ofNonFinite: value))\"").utf8
    }

    private static func name(ofNonFinite value: Double) -> String {
        value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
    }
}
