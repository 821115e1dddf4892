import Testing

/// One text and whether it is JSON, named after the file of nst/JSONTestSuite that asks the same question.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    enum Expectation: Sendable, Equatable {
        /// RFC 8259 requires it: y_
        case accepted
        /// RFC 8259 forbids it: n_
        case refused
        /// RFC 8259 leaves it open: i_
        case ours(accepted: Bool)
        /// RFC 8259 leaves it open: a document has it, but a type can't read it, as it isn't Unicode.
        case unreadable
    }

    let name: String
    let bytes: [UInt8]
    let expectation: Expectation

    var testDescription: String { name }

    /// Whether it is parsed.
    var isDocument: Bool { isReadable || expectation == .unreadable }

    /// Whether a type that reads all of it is decoded.
    var isReadable: Bool { expectation == .accepted || expectation == .ours(accepted: true) }

    static func yes(_ name: String, _ text: String) -> ConformanceCase {
        ConformanceCase(name: "y_\(name)", bytes: Array(text.utf8), expectation: .accepted)
    }

    static func yes(_ name: String, bytes: [UInt8]) -> ConformanceCase {
        ConformanceCase(name: "y_\(name)", bytes: bytes, expectation: .accepted)
    }

    static func no(_ name: String, _ text: String) -> ConformanceCase {
        ConformanceCase(name: "n_\(name)", bytes: Array(text.utf8), expectation: .refused)
    }

    static func no(_ name: String, bytes: [UInt8]) -> ConformanceCase {
        ConformanceCase(name: "n_\(name)", bytes: bytes, expectation: .refused)
    }

    static func ours(_ name: String, _ text: String, accepted: Bool) -> ConformanceCase {
        ConformanceCase(name: "i_\(name)", bytes: Array(text.utf8), expectation: .ours(accepted: accepted))
    }

    static func ours(_ name: String, bytes: [UInt8], accepted: Bool) -> ConformanceCase {
        ConformanceCase(name: "i_\(name)", bytes: bytes, expectation: .ours(accepted: accepted))
    }

    static func unreadable(_ name: String, _ text: String) -> ConformanceCase {
        ConformanceCase(name: "i_\(name)", bytes: Array(text.utf8), expectation: .unreadable)
    }

    static func unreadable(_ name: String, bytes: [UInt8]) -> ConformanceCase {
        ConformanceCase(name: "i_\(name)", bytes: bytes, expectation: .unreadable)
    }

    static let all = arrays + objects + numbers + strings + structure + encodings
}

/// The bytes of an array of one string with these bytes in it.
func inString(_ bytes: UInt8...) -> [UInt8] {
    Array("[\"".utf8) + bytes + Array("\"]".utf8)
}
