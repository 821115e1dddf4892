import Godwit
import GodwitCore
import TestSupport

// Bodies with a secret in them, which must not be shown.
extension FuzzTarget {
    static var secrets: FuzzTarget {
        FuzzTarget(
            name: "secrets", words: ["{\"", "\\u0022", "%22", "page=", "x: ", "<a>", "--b\r\n", "&#x", "data: "]
        ) { data, random in
            var document = SecretDocument(noise: String(decoding: data.prefix(200), as: UTF8.self), random)
            let text = document.text()
            let types = [
                "application/json", "application/x-www-form-urlencoded", "text/xml", "multipart/form-data",
                "text/plain",
            ]
            let type = MediaType(types[document.random.below(types.count)])
            let body = Data(text.utf8).prefix(
                document.random.below(4) == 0 ? document.random.below(text.utf8.count) : .max)
            var redactor = Redaction().redactor(for: document.random.happens(50) ? nil : type)
            var shown: [UInt8] = []
            for chunk in document.random.chunks(of: body) { shown += redactor.append(chunk) }
            shown += redactor.finish(isCut: true)
            random = document.random
            let words = String(decoding: shown, as: UTF8.self)
            if words.contains(SecretDocument.secret) { fail("secrets: a secret is shown: \(text)\nas \(words)") }
        }
    }
}

/// A random document of a known kind, with secrets under names of secrets.
private struct SecretDocument {
    static let secret = "S3KR1T"

    private static let names = [
        "password", "access_token", "X-Api-Key", "clientSecret", "sid", "PIN", "Authorization", "user[password]",
    ]
    private static let others = ["name2", "page", "é", "a b", "x-y", "author", "id2", "total"]

    let noise: String
    var random: SplitMix

    init(noise: String, _ random: SplitMix) {
        (self.noise, self.random) = (noise, random)
    }

    mutating func text() -> String {
        switch random.below(9) {
        case 0, 1, 2: json(4)
        case 3: form()
        case 4: parts()
        case 5: element(3)
        case 6: lines()
        case 7: events()
        default: "see https://u:\(value("@/?# \"'\\<>[\n\t"))@h/p/\(Self.jwt)?x=1&\(form()) \(query())"
        }
    }

    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.S3KR1T"

    private mutating func name() -> String { Self.names[random.below(Self.names.count)] }
    private mutating func other() -> String { Self.others[random.below(Self.others.count)] }

    /// A secret, perhaps after characters that mean something.
    private mutating func value(_ forbidden: String = "") -> String {
        let signs = Array("\"'\\&=:;,{}[]()<>/?# \n\té%+-").filter { !forbidden.contains($0) }
        let start = (0..<random.below(3)).map { _ in signs[random.below(signs.count)] }
        return String(start) + Self.secret + "\(random.below(100))"
    }

    /// A text without a secret, unless it is a document itself.
    private mutating func plain(_ depth: Int) -> String {
        guard depth > 0, random.below(3) == 0 else { return random.happens(50) ? noise : other() }
        return switch random.below(4) {
        case 0: form()
        case 1: "https://h/?\(form())"
        case 2: lines()
        default: json(depth - 1)
        }
    }

    // MARK: JSON

    private mutating func json(_ depth: Int) -> String {
        let blank = ["", " ", "\n  "][random.below(3)]
        let members = (0..<1 + random.below(4)).map { _ in member(depth) }
        let rest = random.below(4) == 0 ? [pair()] : []
        let all = (members + rest).joined(separator: ",\(blank)")
        return random.below(4) == 0 ? "[\(blank){\(all)}]" : "{\(blank)\(all)\(blank)}"
    }

    private mutating func member(_ depth: Int) -> String {
        let colon = [":", ": ", " :\n"][random.below(3)]
        switch random.below(depth > 0 ? 6 : 3) {
        case 0, 1: return "\(quoted(name()))\(colon)\(quoted(value()))"
        case 2: return "\(quoted(other()))\(colon)\([noise.utf8.count.description, "true", "null"][random.below(3)])"
        case 3: return "\(quoted(other()))\(colon)\(quoted(plain(depth)))"
        case 4: return "\(quoted(name()))\(colon){\"x\":[\(quoted(value()))]}"
        default: return "\(quoted(other()))\(colon)\(json(depth - 1))"
        }
    }

    /// `{"name": "password", "value": "…"}`, in any order.
    private mutating func pair() -> String {
        let parts = ["\"name\":\(quoted(name()))", "\"value\":\(quoted(value()))"]
        return "\"o\":{\((random.happens(50) ? parts : parts.reversed()).joined(separator: ","))}"
    }

    private mutating func quoted(_ text: String) -> String {
        "\"\(text.unicodeScalars.map { escaped($0) }.joined())\""
    }

    private mutating func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": return random.happens(80) ? "\\\(scalar)" : escape(scalar)
        case "/": return random.happens(50) ? "\\/" : "/"
        case "\n": return "\\n"
        default:
            return scalar.value < 0x20 || random.happens(3) && scalar.value < 0x10000 ? escape(scalar) : "\(scalar)"
        }
    }

    private func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    // MARK: Forms

    private mutating func form() -> String {
        (0..<1 + random.below(4)).map { _ in
            switch random.below(3) {
            case 0: return "\(encoded(name()))=\(encoded(value()))"
            case 1: return "\(encoded(other()))=\(encoded(random.happens(70) ? noise : json(1)))"
            default: return "page=\(random.below(9))"
            }
        }.joined(separator: "&")
    }

    private mutating func query() -> String { "/a?\(form())#\(encoded(name()))=\(encoded(value()))" }

    private mutating func encoded(_ text: String) -> String {
        let all = random.happens(10)
        return text.utf8.map { byte in
            if byte == 0x20 { return random.happens(50) ? "+" : "%20" }
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            return isPlain && !all ? "\(Unicode.Scalar(byte))" : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private mutating func parts() -> String {
        let line = random.happens(50) ? "\r\n" : "\n"
        let boundary = "--\(["b", "----WebKit7", "x-y"][random.below(3)])"
        let parts = (0..<1 + random.below(3)).map { _ in
            let isSecret = random.happens(60)
            let name = isSecret ? name() : other()
            let content = isSecret ? "--\(value())\n\(Self.secret)" : noise.replacing("\n", with: " ")
            return
                "\(boundary)\(line)Content-Disposition: form-data; name=\"\(name)\"\(line)Content-Type: text/plain\(line)\(line)\(content)\(line)"
        }
        return parts.joined() + "\(boundary)--\(line)"
    }

    // MARK: Other texts

    private mutating func element(_ depth: Int) -> String {
        let attribute = random.happens(50) ? " \(["token", "key2"][random.below(2)])=\"\(marked(value()))\"" : ""
        let secret = attribute.contains("key2") ? "" : attribute
        switch random.below(depth > 0 ? 4 : 2) {
        case 0: return "<password\(secret)>\(marked(value()))</password>"
        case 1: return "<a\(secret)>\(marked(noise))</a>"
        case 2: return "<add value=\"\(marked(value()))\" name=\"\(name())\"/>"
        default: return "<n>\(element(depth - 1))\n\(element(depth - 1))</n>"
        }
    }

    private func marked(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }

    /// The head of a message, or a file of settings.
    private mutating func lines() -> String {
        (0..<1 + random.below(4)).map { _ in
            switch random.below(4) {
            case 0: return "Authorization: Bearer \(value("\n\r"))"
            case 1: return "DB_PASSWORD=\(Self.secret)\(random.below(9))"
            case 2: return "\(name()): \"\(Self.secret)\""
            default: return "X-Other: 1"
            }
        }.joined(separator: random.happens(50) ? "\r\n" : "\n")
    }

    private mutating func events() -> String {
        (0..<1 + random.below(3)).map { _ in
            "event: a\ndata: \(json(2).replacing("\n", with: "\ndata: "))\n\n"
        }.joined()
    }
}
