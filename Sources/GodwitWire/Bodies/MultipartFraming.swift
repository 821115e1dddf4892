/// The bytes of a `multipart/form-data` body around the content (RFC 2046 section 5.1, RFC 7578).
///
/// A body is, for each part, ``opening(of:)``, the content and ``partEnd``; then ``closing``. The caller supplies the
/// content from memory, a file or a stream; its bytes aren't needed to compute the length.
package struct MultipartFraming: Sendable, Hashable {
    /// The delimiter between parts.
    package let boundary: String

    /// Creates a boundary of 144 random bits, which no content contains by accident.
    package init(using generator: inout some RandomNumberGenerator) {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let random = (0..<24).map { _ in alphabet[Int(UInt8.random(in: 0..<64, using: &generator))] }
        boundary = "godwit-" + String(decoding: random, as: UTF8.self)
    }

    /// Uses a boundary; `nil` if it is longer than 70 characters or contains other than letters, digits and
    /// `'()+_,-./:=?`.
    package init?(boundary: String) {
        guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy(Self.isBoundaryByte) else { return nil }
        self.boundary = boundary
    }

    private static func isBoundaryByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "'()+_,-./:=?".utf8.contains(byte)
        }
    }

    /// The type of the body.
    package var contentType: MediaType { .multipartForm(boundary: boundary) }

    /// The bytes before a part's content: the delimiter and the part's fields.
    ///
    /// Throws ``InvalidPart`` for additional fields that can't be sent, or that repeat the name or type.
    package func opening(of part: MultipartPart) throws(InvalidPart) -> Data {
        Data("--\(boundary)\r\n\(try part.header())".utf8)
    }

    /// The bytes after each part's content.
    package static let partEnd = Data("\r\n".utf8)

    /// The bytes after the last part.
    package var closing: Data { Data("--\(boundary)--\r\n".utf8) }

    /// The length of the whole body in bytes; `nil` if a part's length is unknown or the sum overflows.
    ///
    /// Throws ``InvalidPart`` like ``opening(of:)``.
    package func length(
        of parts: some Sequence<(part: MultipartPart, contentLength: Int64?)>
    ) throws(InvalidPart) -> Int64? {
        var total: Int64? = Int64(closing.count)
        for (part, contentLength) in parts {
            let frame = Int64(try opening(of: part).count + Self.partEnd.count)
            total = Self.sum(Self.sum(total, contentLength), frame)
        }
        return total
    }

    private static func sum(_ left: Int64?, _ right: Int64?) -> Int64? {
        guard let left, let right, right >= 0 else { return nil }
        let (sum, overflows) = left.addingReportingOverflow(right)
        return overflows ? nil : sum
    }
}
