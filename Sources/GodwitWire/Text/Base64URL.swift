/// The URL-safe alphabet of base64 without padding (RFC 4648 section 5).
package enum Base64URL {
    /// The encoded bytes.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let plain = Data(bytes).base64EncodedString()
        let mapped = plain.utf8.lazy.filter { $0 != UInt8(ascii: "=") }.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return String(decoding: Array(mapped), as: UTF8.self)
    }
}
