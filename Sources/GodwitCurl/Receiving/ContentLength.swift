import GodwitCore

/// The declared length of a body (RFC 9112 section 6.3).
enum ContentLength {
    /// Why the fields contradict themselves about the length, or nil.
    static func fault(in fields: HTTPFields) -> String? {
        var first: Substring?
        for field in fields where field.name == .contentLength {
            // One line with one number is nearly every response.
            if first == nil, isNumber(field.value[...]) {
                first = field.value[...]
                continue
            }
            for part in field.value.split(separator: ",", omittingEmptySubsequences: false) {
                let digits = trimmed(part)
                guard isNumber(digits) else { return "Content-Length \"\(field.value.prefix(40))\" is not a length" }
                if let first, first != digits { return "the response has two different lengths" }
                first = digits
            }
        }
        return nil
    }

    /// The length that the fields declare; nil where they declare none.
    static func value(in fields: HTTPFields) -> Int64? {
        guard let field = fields.first(where: { $0.name == .contentLength }) else { return nil }
        return Int64(field.value) ?? Int64(trimmed(field.value.split(separator: ",").first ?? ""))
    }

    private static func isNumber(_ digits: Substring) -> Bool {
        !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int64(digits) != nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
