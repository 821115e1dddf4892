import GodwitSupport
import GodwitWire

/// The formats of texts and numbers that are checked.
enum SchemaFormat {
    /// What is wrong with a text; `nil` for one of the format, and for formats that aren't checked.
    static func problem(in text: String, _ format: String) -> String? {
        switch format {
        case "date-time":
            isDateTime(text) ? nil : "must be a date and time such as 2026-03-01T12:30:00Z (RFC 3339)"
        case "date": isDate(text) ? nil : "must be a date such as 2026-03-01"
        case "uuid": UUID(uuidString: text) == nil ? "must be a UUID" : nil
        case "ipv4": IPAddress.v4(text) == nil ? "must be an IPv4 address" : nil
        case "ipv6": IPAddress.v6(text[...]) == nil ? "must be an IPv6 address" : nil
        case "byte": Data(base64Encoded: text) == nil ? "must be Base64" : nil
        default: nil
        }
    }

    /// What is wrong with a number.
    static func problem(in number: ExactNumber, _ format: String) -> String? {
        switch format {
        case "int32": isIn(Int32.min, Int32.max, number) ? nil : "must be an integer of 32 bits"
        case "int64": isIn(Int64.min, Int64.max, number) ? nil : "must be an integer of 64 bits"
        default: nil
        }
    }

    private static func isDate(_ text: String) -> Bool { text.utf8.count == 10 && ISO8601.date(text) != nil }

    private static func isDateTime(_ text: String) -> Bool { text.utf8.count > 10 && ISO8601.date(text) != nil }

    private static func isIn(_ least: some BinaryInteger, _ most: some BinaryInteger, _ number: ExactNumber) -> Bool {
        number.isWhole && number >= ExactNumber(least) && number <= ExactNumber(most)
    }
}
