/// What stands above the content of one part of a `multipart/form-data` body (RFC 7578 section 4).
package struct MultipartPart: Sendable, Hashable {
    /// The form field's name.
    package var name: String

    /// The file's name; nil for a part that is no file.
    package var fileName: String?

    /// What the content is; nil leaves it to the receiver, which takes text.
    package var contentType: MediaType?

    /// Further fields, for peers that ask for them.
    package var fields: HTTPFields

    /// Nothing is checked until the part is written; ``MultipartFraming/opening(of:)`` throws then.
    package init(name: String, fileName: String? = nil, contentType: MediaType? = nil, fields: HTTPFields = [:]) {
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
        self.fields = fields
    }

    /// The lines above the content, with the empty line that ends them.
    func header() throws(InvalidPart) -> String {
        var disposition = "form-data; name=\"\(Self.escape(name))\""
        if let fileName { disposition += "; filename=\"\(Self.escape(fileName))\"" }
        var lines = [HTTPField(unchecked: .contentDisposition, value: disposition)]
        if let contentType { lines.append(HTTPField(unchecked: .contentType, value: contentType.description)) }
        for field in fields where [.contentDisposition, .contentType].contains(field.name) {
            throw InvalidPart("\(field.name) is written from the part's name and type; leave it out of its fields")
        }
        lines += fields
        if let field = lines.first(where: { !$0.isValid }) {
            throw InvalidPart(
                "the field \(field.name) of part \"\(Self.escape(name))\" holds CR, LF or NUL, or its name is no token")
        }
        return lines.map { "\($0.name.rawName): \($0.value)\r\n" }.joined() + "\r\n"
    }

    /// The name as browsers write it (WHATWG HTML, "multipart/form-data encoding algorithm"): the rest is raw UTF-8.
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
