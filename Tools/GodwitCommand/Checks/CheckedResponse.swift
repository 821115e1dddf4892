import Godwit
import GodwitPatterns

/// A response whose whole body is in memory, as checks look at it.
struct CheckedResponse: Sendable {
    let status: Int
    /// The version of HTTP, such as `HTTP/1.1`; `nil` if the transport doesn't report it.
    let version: String?
    let fields: HTTPFields
    /// The URL of the last request, after redirects.
    let url: String
    let body: Data
    /// The time from the start of the first request to the end of the body, in whole milliseconds.
    let milliseconds: Int64

    init(_ response: HTTPResponse, body: Data, duration: Duration) {
        status = response.head.status.code
        version = response.metrics.protocolVersion?.rawValue
        fields = response.head.fields
        url = response.request.url.absoluteString
        self.body = body
        milliseconds = Int64((duration / .milliseconds(1)).rounded(.down))
    }

    /// The body as text.
    func text() throws(CheckFault) -> String {
        let charset = fields[.contentType].flatMap(MediaType.init(_:))?.charset ?? "utf-8"
        return try TextDecoding.text(body, charset: charset)
    }

    /// The attributes of a cookie that the response sets, with `Value` for its value; `nil` if it isn't set.
    func cookie(_ name: String) -> [(name: String, value: String)]? {
        for line in fields.values(of: .setCookie) {
            let parts = line.split(separator: ";", omittingEmptySubsequences: false).map { part in
                let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { $0.trimmingSpaces }
                return (name: pair[0], value: pair.count > 1 ? pair[1] : "")
            }
            guard let first = parts.first, first.name == name else { continue }
            return [(name: "Value", value: first.value)] + parts.dropFirst()
        }
        return nil
    }
}

/// Why a check can't be evaluated: the wrong kind of value, or a body that isn't what the check needs.
struct CheckFault: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// Bytes as text.
enum TextDecoding {
    static func text(_ data: Data, charset: String) throws(CheckFault) -> String {
        switch charset.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii":
            let bytes = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw CheckFault("the body is not UTF-8 text; use bytes")
            }
            return text
        case "iso-8859-1", "latin1", "latin-1":
            var text = String.UnicodeScalarView()
            text.append(contentsOf: data.map { Unicode.Scalar($0) })
            return String(text)
        default: throw CheckFault("the character set \(charset) isn't supported: only utf-8 and iso-8859-1 are")
        }
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at its ends.
    var trimmingSpaces: String {
        let start = unicodeScalars.drop { $0.isSpace }
        guard let end = start.lastIndex(where: { !$0.isSpace }) else { return "" }
        return String(String.UnicodeScalarView(start[...end]))
    }
}
