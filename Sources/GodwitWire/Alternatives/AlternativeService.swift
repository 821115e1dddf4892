/// Another way to reach an origin, as an `Alt-Svc` field announces it (RFC 7838 section 3).
package struct AlternativeService: Sendable, Hashable {
    /// The protocol's ALPN name, such as `h3`.
    package let protocolID: String
    /// The host in lowercase; empty if it is the origin's.
    package let host: String
    package let port: Int
    /// Seconds for which the announcement is valid. A day by default, and at most ``longestAge``.
    package let maximumAge: Int
    /// Whether it stays valid when the network changes.
    package let persists: Bool

    /// A year.
    package static let longestAge = 31_536_000
    /// The most services that are read from one response.
    static let mostServices = 16
    /// The most bytes of a field value that is read.
    static let longestValue = 4096

    package init(
        protocolID: String, host: String = "", port: Int, maximumAge: Int = 86_400, persists: Bool = false
    ) {
        self.protocolID = protocolID
        self.host = host
        self.port = port
        self.maximumAge = min(max(maximumAge, 0), Self.longestAge)
        self.persists = persists
    }
}

/// What a response says about an origin's alternative services.
package enum AlternativeServiceField: Sendable, Hashable {
    /// All that was known about the origin is void.
    case clear
    /// These replace what was known. Most preferred first.
    case services([AlternativeService])

    /// The meaning of a response's `Alt-Svc` fields; `nil` if they say nothing.
    ///
    /// Services that can't be parsed are skipped. A response with `clear` and services is invalid, and clears (section 3).
    package static func parse(_ fields: HTTPFields) -> Self? {
        var services: [AlternativeService] = []
        for value in fields.values(of: .altSvc) where value.utf8.count <= AlternativeService.longestValue {
            for part in parts(of: value) {
                guard let part else { return .clear }
                services.append(part)
            }
        }
        return services.isEmpty ? nil : .services(Array(services.prefix(AlternativeService.mostServices)))
    }

    /// The services of one field value; `nil` stands for `clear`.
    private static func parts(of value: String) -> [AlternativeService?] {
        var scanner = FieldScanner(value)
        var parts: [AlternativeService?] = []
        while !scanner.isAtEnd {
            scanner.read { !$0.isBlank && $0 != comma }
            guard let name = scanner.token() else {
                scanner.skipToComma()
                continue
            }
            if scanner.skip("=") {
                if let service = service(name, from: &scanner) { parts.append(service) }
            } else if name == "clear" {
                scanner.skipBlanks()
                if scanner.isAtElementEnd { parts.append(nil) }
            }
            scanner.skipToComma()
        }
        return parts
    }

    fileprivate static let comma = UInt8(ascii: ",")

    private static func service(_ name: String, from scanner: inout FieldScanner) -> AlternativeService? {
        let authority = scanner.quotedString().flatMap(authority)
        var (age, persists) = (86_400, false)
        scanner.skipBlanks()
        while scanner.skip(";") {
            scanner.skipBlanks()
            guard let parameter = scanner.token(), scanner.skip("=") else { return nil }
            let value = scanner.quotedString() ?? scanner.token() ?? ""
            switch parameter.asciiLowercased {
            case "ma":
                guard let seconds = seconds(value) else { return nil }
                age = seconds
            case "persist": persists = value == "1"
            default: break
            }
            scanner.skipBlanks()
        }
        guard let (host, port) = authority, let id = PercentEncoding.decode(name[...]), scanner.isAtElementEnd else {
            return nil
        }
        return AlternativeService(protocolID: id, host: host, port: port, maximumAge: age, persists: persists)
    }

    /// `[host]:port`, as between the quotes.
    private static func authority(_ text: String) -> (host: String, port: Int)? {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let (host, digits) = (text[..<colon], text[text.index(after: colon)...])
        guard let port = UInt16(digits), port > 0, digits.utf8.allSatisfy(\.isDigit) else { return nil }
        guard host.utf8.count <= 255, host.utf8.allSatisfy(isHostByte) else { return nil }
        return (String(host).asciiLowercased, Int(port))
    }

    /// The bytes of names and of addresses, those in brackets too.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "-._[]:".utf8.contains(byte)
    }

    /// A number of seconds; one that is too large for an `Int` is as good as the largest (RFC 9111 section 1.2.2).
    private static func seconds(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text) ?? AlternativeService.longestAge
    }
}

extension FieldScanner {
    fileprivate var isAtElementEnd: Bool { isAtEnd || next == AlternativeServiceField.comma }

    /// Skips the rest of a list's element. Commas between quotes are part of it.
    fileprivate mutating func skipToComma() {
        while !isAtElementEnd {
            if quotedString() == nil { read { $0 == AlternativeServiceField.comma || $0 == UInt8(ascii: "\"") } }
        }
    }
}
