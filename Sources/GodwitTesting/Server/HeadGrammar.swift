import GodwitCore

/// Parses the lines of a request's head strictly (RFC 9112 sections 2 to 6).
enum HeadGrammar {
    /// Parses a head. The first line is the request line.
    static func head(_ lines: [ArraySlice<UInt8>]) throws(RequestFault) -> RequestHead {
        guard let first = lines.first else { throw RequestFault("the request line is missing") }
        let (method, target, isHTTP10) = try requestLine(first)
        let fields = try fields(lines.dropFirst())
        if !isHTTP10 {
            guard fields.values(of: .host).count == 1 else { throw RequestFault("exactly one Host field is required") }
        }
        let framing = try framing(fields, isHTTP10: isHTTP10)
        return RequestHead(method: method, target: target, fields: fields, framing: framing, isHTTP10: isHTTP10)
    }

    /// Parses the field lines of a head or a trailer section.
    static func fields(_ lines: ArraySlice<ArraySlice<UInt8>>) throws(RequestFault) -> HTTPFields {
        var fields = HTTPFields()
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                throw RequestFault("the field line \"\(text(line))\" has no colon")
            }
            // A name with a space before the colon, or at its start as in a folded line, is not a token.
            let value = trimmed(line[(colon + 1)...])
            guard let name = HTTPField.Name(text(line[..<colon])),
                let field = HTTPField(name: name, value: value.withUnsafeBytes { FieldText.decode($0, for: name) })
            else { throw RequestFault("the field line \"\(text(line))\" is invalid") }
            fields.append(field)
        }
        return fields
    }

    private static func requestLine(
        _ line: ArraySlice<UInt8>
    ) throws(RequestFault) -> (method: HTTPMethod, target: String, isHTTP10: Bool) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, let method = HTTPMethod(text(parts[0])) else {
            throw RequestFault("\"\(text(line))\" is not a request line")
        }
        let target = text(parts[1])
        guard parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F }), isTarget(target, method) else {
            throw RequestFault("\"\(target)\" is not a request target")
        }
        switch text(parts[2]) {
        case "HTTP/1.1": return (method, target, false)
        case "HTTP/1.0": return (method, target, true)
        default: throw RequestFault("the version must be HTTP/1.1 or HTTP/1.0", status: .badRequest)
        }
    }

    /// The four forms of RFC 9112 section 3.2.
    private static func isTarget(_ target: String, _ method: HTTPMethod) -> Bool {
        if method == .connect { return !target.hasPrefix("/") && target.contains(":") }
        if target == "*" { return method == .options }
        return (target.hasPrefix("/") || target.hasPrefix("http://") || target.hasPrefix("https://"))
            && !target.contains("#")
    }

    private static func framing(_ fields: HTTPFields, isHTTP10: Bool) throws(RequestFault) -> RequestHead.Framing {
        let lengths = Set(fields.values(of: .contentLength))
        if let coding = fields[.transferEncoding] {
            guard lengths.isEmpty else { throw RequestFault("Content-Length is combined with Transfer-Encoding") }
            guard !isHTTP10 else { throw RequestFault("HTTP/1.0 has no Transfer-Encoding") }
            guard coding.equalsIgnoringASCIICase("chunked") else {
                throw RequestFault("the transfer coding \"\(coding)\" is not supported", status: .notImplemented)
            }
            return .chunked
        }
        guard let length = lengths.first else { return .none }
        guard lengths.count == 1, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(length)
        else { throw RequestFault("Content-Length is not one number") }
        return count == 0 ? .none : .length(count)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return bytes
    }
}
