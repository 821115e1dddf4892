import GodwitSupport

/// The head of an HTTP/1 response, and what it says about its body and its connection. Immutable, so that the same head of the
/// next response is not made again.
package final class HTTP1ResponseHead: Sendable {
    package let status: HTTPStatus
    package let fields: HTTPFields
    /// The minor version: 0 for HTTP/1.0.
    package let minorVersion: UInt8
    /// The declared length of the body as it is sent; `nil` if none is declared, or a transfer coding is used.
    package let contentLength: Int64?
    /// Whether the length is declared in two ways, which may differ (RFC 9112 section 6.3).
    package let isFramedTwice: Bool
    /// Whether the body is in chunks.
    package let isChunked: Bool
    /// Whether the server keeps the connection after this response (RFC 9112 section 9.3).
    package let keepsAlive: Bool
    /// How many seconds the server keeps it idle (`Keep-Alive: timeout`); `nil` if it doesn't say.
    package let keepAliveTimeout: Int?

    init(status: HTTPStatus, fields: HTTPFields, minorVersion: UInt8) {
        self.status = status
        self.fields = fields
        self.minorVersion = minorVersion
        let codings = fields.words(of: .transferEncoding)
        let declared = ContentLength.value(in: fields)
        isChunked = codings.last == "chunked"
        // "identity" isn't a coding any more, and means none.
        contentLength = isChunked ? nil : declared
        isFramedTwice = isChunked && declared != nil
        keepsAlive = fields.keepsConnection(isHTTP10: minorVersion == 0)
        keepAliveTimeout = Self.timeout(fields)
    }

    /// How the body of the response to a request ends (RFC 9112 section 6.3).
    package func framing(of method: HTTPMethod) -> BodyFraming {
        if method == .head || status.forbidsContent { return .none }
        if isChunked { return .chunked }
        return contentLength.map { $0 == 0 ? .none : .length($0) } ?? .untilClose
    }

    /// Why the head is invalid, or `nil`.
    var fault: String? { ContentLength.fault(in: fields) ?? codingFault }

    /// A coding that was not requested would pass as the body.
    private var codingFault: String? {
        let codings = fields.words(of: .transferEncoding)
        guard fields.contains(.transferEncoding), codings != ["chunked"], codings != ["identity"] else { return nil }
        return "the transfer coding \"\(codings.joined(separator: ", ").prefix(40))\" is not known"
    }

    private static func timeout(_ fields: HTTPFields) -> Int? {
        guard let value = fields[.keepAlive] else { return nil }
        let parameters = value.asciiLowercased.split { $0 == "," || $0 == ";" || $0 == " " || $0 == "\t" }
        return parameters.lazy.compactMap { $0.hasPrefix("timeout=") ? Int($0.dropFirst(8)) : nil }.first { $0 >= 0 }
    }
}

extension HTTPFields {
    /// Whether the connection stays open after a message with these fields (RFC 9112 section 9.3).
    func keepsConnection(isHTTP10: Bool) -> Bool {
        let options = words(of: .connection)
        return !options.contains("close") && (!isHTTP10 || options.contains("keep-alive"))
    }

    /// The words of a field's values, in lowercase.
    func words(of name: HTTPField.Name) -> [String] {
        guard contains(name) else { return [] }
        return values(of: name).joined(separator: ",").lowercasedWords
    }
}

/// How the body of a message ends.
package enum BodyFraming: Sendable, Hashable {
    /// There is no body.
    case none
    /// After so many bytes, at least one.
    case length(Int64)
    /// With the last chunk (RFC 9112 section 7.1).
    case chunked
    /// With the connection.
    case untilClose
}

/// The declared length of a body (RFC 9112 section 6.3).
package enum ContentLength {
    /// Why the fields contradict themselves about the length, or `nil`.
    package static func fault(in fields: HTTPFields) -> String? {
        var first: Substring?
        for field in fields where field.name == .contentLength {
            // One line with one number is nearly every response.
            if first == nil, isNumber(field.value[...]) {
                first = field.value[...]
                continue
            }
            for part in field.value.split(separator: ",", omittingEmptySubsequences: false) {
                let digits = part.trimmingBlanks[...]
                guard isNumber(digits) else { return "Content-Length \"\(field.value.prefix(40))\" is not a length" }
                if let first, first != digits { return "the message has two different lengths" }
                first = digits
            }
        }
        return nil
    }

    /// The length that the fields declare, if they do.
    package static func value(in fields: HTTPFields) -> Int64? {
        guard let field = fields.first(where: { $0.name == .contentLength }) else { return nil }
        return Int64(field.value) ?? Int64(field.value.split(separator: ",").first?.trimmingBlanks ?? "")
    }

    private static func isNumber(_ digits: Substring) -> Bool {
        !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int64(digits) != nil
    }
}
