/// The header of one part of a `multipart/form-data` body (RFC 7578 section 4).
package struct MultipartPart: Sendable, Hashable {
    /// The form field's name.
    package var name: String

    /// The file name; `nil` if the part isn't a file.
    package var fileName: String?

    /// The type of the content; `nil` means plain text.
    package var contentType: MediaType?

    /// Additional fields.
    package var fields: HTTPFields

    /// Doesn't validate; ``MultipartFraming/opening(of:)`` throws for an invalid part.
    package init(name: String, fileName: String? = nil, contentType: MediaType? = nil, fields: HTTPFields = [:]) {
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
        self.fields = fields
    }

    /// The header lines of the part, with the closing empty line.
    func header() throws(InvalidPart) -> String {
        var disposition = "form-data; name=\"\(Self.escape(name))\""
        if let fileName { disposition += "; filename=\"\(Self.escape(fileName))\"" }
        var lines = [HTTPField(unchecked: .contentDisposition, value: disposition)]
        if let contentType { lines.append(HTTPField(unchecked: .contentType, value: contentType.description)) }
        for field in fields where [.contentDisposition, .contentType].contains(field.name) {
            throw InvalidPart("\(field.name) is set from the part's name and type; remove it from the part's fields")
        }
        lines += fields
        if let field = lines.first(where: { !$0.isValid }) {
            throw InvalidPart(
                "the field \(field.name) of part \"\(Self.escape(name))\" contains CR, LF or NUL, or its name is not a token"
            )
        }
        return lines.map { "\($0.name.rawName): \($0.value)\r\n" }.joined() + "\r\n"
    }

    /// The name as browsers write it (WHATWG HTML, "multipart/form-data encoding algorithm"); other bytes are raw
    /// UTF-8.
    private static func escape(_ name: String) -> String {
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "%22".utf8
            case 0x0D: bytes += "%0D".utf8
            case 0x0A: bytes += "%0A".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Why a part is invalid in a multipart body.
package struct InvalidPart: Error, Sendable, Hashable {
    /// What is wrong, in words a developer can act on.
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

extension InvalidPart: CustomStringConvertible {
    package var description: String { "invalid part: \(reason)" }
}
