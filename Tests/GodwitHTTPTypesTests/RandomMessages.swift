#if HTTPTypes
import Godwit
import HTTPTypes
import TestSupport

/// Random valid messages of both kinds.
struct RandomMessages {
    private var random: SplitMix

    init(seed: Int) {
        random = SplitMix(seed: seed)
    }

    private static let token = Array("!#$%&'*+-.^_`|~0129abcxyzABCXYZ")
    private static let path = Array("abzAZ019-._~!$&'()*+,;=:@")

    private mutating func text(_ characters: [Character], _ range: ClosedRange<Int>) -> String {
        let count = range.lowerBound + random.below(range.count)
        return String((0..<count).map { _ in random.pick(characters) })
    }

    /// Few names, so that many repeat, in any case.
    private mutating func name() -> String {
        let known = ["Accept", "accept", "ACCEPT", "Set-Cookie", "set-cookie", "X-Note", "ETag", "Cookie", "Link"]
        return random.happens(70) ? random.pick(known) : text(Self.token, 1...12)
    }

    /// The bytes of a value: any but NUL, CR and LF, without whitespace around them.
    private mutating func value() -> [UInt8] {
        let isText = random.happens(50)
        var bytes: [UInt8] = []
        for _ in 0..<random.below(24) {
            if random.happens(10) {
                bytes += Array(random.pick(["é", "語", "🪶", "\u{EF80}", "\u{FFFD}"]).utf8)
            } else {
                bytes.append(isText ? 0x21 + UInt8(random.below(94)) : UInt8(1 + random.below(255)))
            }
        }
        bytes.removeAll { $0 == 0x0A || $0 == 0x0D }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        return Array(Array(bytes.drop(while: isBlank).reversed()).drop(while: isBlank).reversed())
    }

    mutating func fields() -> HTTPTypes.HTTPFields {
        var fields = HTTPTypes.HTTPFields()
        for _ in 0..<random.below(9) {
            guard let name = HTTPTypes.HTTPField.Name(name()) else { continue }
            fields.append(HTTPTypes.HTTPField(name: name, lenientValue: value()))
        }
        return fields
    }

    mutating func request() -> HTTPTypes.HTTPRequest? {
        guard let method = HTTPTypes.HTTPRequest.Method(random.happens(70) ? "GET" : text(Self.token, 1...8)) else {
            return nil
        }
        let host = random.pick(["example.com", "a.b-c.example", "127.0.0.1", "[::1]", "xn--bcher-kva.example"])
        let port = random.happens(30) ? ":\(1024 + random.below(60_000))" : ""
        var path = "/" + (0..<random.below(4)).map { _ in "s" + text(Self.path, 0...6) }.joined(separator: "/")
        if random.happens(20) { path += "%2F%C3%A9" }
        if random.happens(50) { path += "?" + text(Self.path + ["/", "?"], 0...12) }
        return HTTPTypes.HTTPRequest(
            method: method, scheme: random.happens(50) ? "http" : "https", authority: host + port, path: path,
            headerFields: fields())
    }

    mutating func response() -> HTTPTypes.HTTPResponse {
        HTTPTypes.HTTPResponse(status: .init(code: 100 + random.below(900)), headerFields: fields())
    }
}

extension HTTPTypes.HTTPFields {
    /// Each name as written and each value's bytes, in order: their own equality ignores a part of it.
    var exact: [String] {
        map { field in "\(field.name.rawName): \(field.withUnsafeBytesOfValue { Array($0) })" }
    }
}
#endif
