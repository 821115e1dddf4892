/// Text that isn't JSON (RFC 8259): where, and what was expected there.
///
/// ```swift
/// do {
///     let document = try JSONDocument(parsing: data)
/// } catch {
///     print(error)                                  // line 3, column 9: expected a value, found "]"
/// }
/// ```
public struct JSONSyntaxError: Error, Sendable, Hashable {
    /// What was expected: "expected a value". Contains nothing of the text.
    public let expectation: String

    /// The start of what is there instead; `nil` at the end of the text.
    public let found: String?

    /// The byte at which parsing stopped, counted from 0 in UTF-8, without a byte order mark.
    public let offset: Int

    /// The line of that byte, from 1. Lines end with LF.
    public let line: Int

    /// The column of that byte in its line, in characters from 1.
    public let column: Int

    package init(expectation: String, found: String? = nil, offset: Int, line: Int, column: Int) {
        self.expectation = expectation
        self.found = found
        self.offset = offset
        self.line = line
        self.column = column
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// The position, and what was expected and found.
    public var description: String {
        "line \(line), column \(column): \(expectation)" + (found.map { ", found \"\($0)\"" } ?? "")
    }
}
