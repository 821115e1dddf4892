/// Reads a call from a curl command line, as developer tools copy it (for bash).
struct CurlReader {
    /// Gives the content of a file that the command names with `@`.
    typealias FileContent = (String) throws(GenerationError) -> Data

    private var sample = Sample()
    private var data: [String] = []
    private var method: String?
    private var target: String?
    private var putsDataInQuery = false
    private var isJSON = false
    private let content: FileContent?

    /// The request that a command sends; its answer is unknown.
    ///
    /// - Parameter content: Reads the files of `-d @FILE`; without it, they are an error.
    static func read(_ command: String, content: FileContent? = nil) throws(GenerationError) -> Sample {
        var words = try ShellWords.words(command)[...]
        // A copied prompt stands before the command.
        if words.first == "$" || words.first == "%" { words = words.dropFirst() }
        guard words.first == "curl" || words.first?.hasSuffix("/curl") == true else {
            throw GenerationError(.invalid, "not a curl command: it must begin with `curl`")
        }
        var reader = CurlReader(content: content)
        try reader.read(Array(words.dropFirst()))
        return try reader.finished()
    }

    private init(content: FileContent?) {
        self.content = content
    }

    private mutating func read(_ words: [String]) throws(GenerationError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word.hasPrefix("--"), word.count > 2 {
                try readLong(word, &rest)
            } else if word.hasPrefix("-"), word.count > 1 {
                try readShort(word, &rest)
            } else {
                try setTarget(word)
            }
        }
    }

    private mutating func readLong(_ word: String, _ rest: inout ArraySlice<String>) throws(GenerationError) {
        let name = String(word.dropFirst(2))
        if CurlOption.flags.contains(name) { return set(flag: name) }
        guard CurlOption.values.contains(name) else { throw Self.unknown(word) }
        guard let value = rest.popFirst() else { throw Self.missing(word) }
        try set(name, value)
    }

    /// `-sSL`, `-XPOST`: flags share a word, and a value can follow its option directly.
    private mutating func readShort(_ word: String, _ rest: inout ArraySlice<String>) throws(GenerationError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let name = CurlOption.letters[letter] else { throw Self.unknown("-\(letter)") }
            if CurlOption.flags.contains(name) {
                set(flag: name)
                continue
            }
            guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
                throw Self.missing("-\(letter)")
            }
            return try set(name, value)
        }
    }

    private mutating func set(flag name: String) {
        switch name {
        case "get": putsDataInQuery = true
        case "head": method = method ?? "HEAD"
        default: break
        }
    }

    private mutating func set(_ name: String, _ value: String) throws(GenerationError) {
        switch name {
        case "request": method = value.uppercased()
        case "url": try setTarget(value)
        case "header": addField(value)
        case "user": addField("Authorization: Basic \(Data(value.utf8).base64EncodedString())")
        case "oauth2-bearer": addField("Authorization: Bearer \(value)")
        case "cookie": addField("Cookie: \(value)")
        case "user-agent": addField("User-Agent: \(value)")
        case "referer": addField("Referer: \(value)")
        case "data", "data-ascii", "data-binary", "json":
            data.append(value.hasPrefix("@") ? try file(value.dropFirst()) : value)
            if name == "json" { isJSON = true }
        case "data-raw": data.append(value)
        case "data-urlencode": data.append(try encoded(value))
        case "form", "form-string": try addPart(value, isText: name == "form-string")
        default: break
        }
    }

    private mutating func setTarget(_ text: String) throws(GenerationError) {
        guard target == nil else {
            throw GenerationError(.unsupported, "the curl command has several URLs: give one command for each call")
        }
        target = text.contains("://") || text.hasPrefix("/") ? text : "http://\(text)"
    }

    private mutating func addField(_ line: String) {
        let name = line.prefix { $0 != ":" }
        guard name.endIndex < line.endIndex, !name.isEmpty else { return }
        let value = line[name.endIndex...].dropFirst().drop { $0 == " " }
        if !value.isEmpty { sample.requestFields.append(Sample.Field(String(name), String(value))) }
    }
}

extension CurlReader {
    /// `photo=@sea.jpg;type=image/jpeg`; the file isn't read.
    private mutating func addPart(_ text: String, isText: Bool) throws(GenerationError) {
        let name = text.prefix { $0 != "=" }
        guard name.endIndex < text.endIndex, !name.isEmpty else {
            throw GenerationError(.invalid, "`-F` needs `name=value` or `name=@file`")
        }
        let value = text[name.endIndex...].dropFirst()
        guard !isText, let mark = value.first, mark == "@" || mark == "<" else {
            sample.form.append(Sample.Part(String(name), value: String(value)))
            return
        }
        let pieces = value.dropFirst().split(separator: ";")
        let type = pieces.dropFirst().first { $0.hasPrefix("type=") }.map { Sample.mediaType(String($0.dropFirst(5))) }
        let named = pieces.dropFirst().first { $0.hasPrefix("filename=") }.map { String($0.dropFirst(9)) }
        let file = pieces.first.flatMap { $0.split(separator: "/").last }.map(String.init)
        sample.form.append(
            Sample.Part(String(name), fileName: mark == "@" ? named ?? file ?? "file" : nil, mediaType: type))
    }

    private func file(_ name: Substring) throws(GenerationError) -> String {
        guard let content else {
            throw GenerationError(.unsupported, "the curl command reads the file `\(name)`: give its content instead")
        }
        return String(decoding: try content(String(name)), as: UTF8.self)
    }

    /// `name=text` with the text encoded; `=text`, `text`, `@file` and `name@file`, as curl has them.
    private func encoded(_ value: String) throws(GenerationError) -> String {
        let name = value.prefix { $0 != "=" && $0 != "@" }
        guard name.endIndex < value.endIndex else { return Self.escaped(value) }
        let rest = value[name.endIndex...].dropFirst()
        let text = value[name.endIndex] == "@" ? try file(rest) : String(rest)
        return (name.isEmpty ? "" : "\(name)=") + Self.escaped(text)
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
            return isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private func finished() throws(GenerationError) -> Sample {
        var sample = sample
        guard var target else { throw GenerationError(.invalid, "the curl command has no URL") }
        if putsDataInQuery, !data.isEmpty {
            target += (target.contains("?") ? "&" : "?") + data.joined(separator: "&")
        } else if !data.isEmpty {
            let text = data.joined(separator: isJSON ? "" : "&")
            sample.requestBody = SourceFile(name: "the body of the curl command", data: Data(text.utf8))
            if Sample.mediaType(sample.requestFields) == nil {
                let type = isJSON ? "application/json" : SampleBody.form
                sample.requestFields.append(Sample.Field("Content-Type", type))
            }
        } else if !sample.form.isEmpty, Sample.mediaType(sample.requestFields) == nil {
            sample.requestFields.append(Sample.Field("Content-Type", SampleBody.multipart))
        }
        let hasBody = sample.requestBody != nil || !sample.form.isEmpty
        sample.method = method ?? (hasBody ? "POST" : "GET")
        sample.target = target
        return sample
    }

    private static func unknown(_ option: String) -> GenerationError {
        GenerationError(.unsupported, "unknown option `\(option)` in the curl command: leave it out")
    }

    private static func missing(_ option: String) -> GenerationError {
        GenerationError(.invalid, "a value must follow `\(option)` in the curl command")
    }
}

/// The options of curl that are read, and those that don't change what is generated.
enum CurlOption {
    static let flags: Set<String> = [
        "get", "head", "compressed", "location", "location-trusted", "silent", "show-error", "insecure", "include",
        "verbose", "fail", "fail-with-body", "globoff", "http1.0", "http1.1", "http2", "http2-prior-knowledge",
        "http3", "http3-only", "ipv4", "ipv6", "tcp-nodelay", "no-buffer", "no-progress-meter", "progress-bar",
        "path-as-is", "basic", "digest", "anyauth", "remote-name", "tlsv1.2", "tlsv1.3", "no-keepalive",
        "junk-session-cookies",
    ]

    static let values: Set<String> = [
        "request", "url", "header", "user", "oauth2-bearer", "cookie", "user-agent", "referer", "data", "data-ascii",
        "data-binary", "data-raw", "data-urlencode", "json", "form", "form-string",
        // Those that follow are read and left out.
        "output", "max-time", "connect-timeout", "retry", "retry-delay", "retry-max-time", "max-redirs", "proxy",
        "proxy-user", "cacert", "cert", "key", "resolve", "connect-to", "write-out", "cookie-jar", "dump-header",
        "ciphers",
        "interface", "range", "limit-rate", "unix-socket", "trace", "trace-ascii", "stderr",
    ]

    static let letters: [Character: String] = [
        "X": "request", "H": "header", "d": "data", "F": "form", "u": "user", "b": "cookie", "A": "user-agent",
        "e": "referer", "G": "get", "I": "head", "L": "location", "s": "silent", "S": "show-error", "k": "insecure",
        "i": "include", "v": "verbose", "f": "fail", "g": "globoff", "N": "no-buffer", "o": "output", "m": "max-time",
        "x": "proxy", "U": "proxy-user", "w": "write-out", "c": "cookie-jar", "D": "dump-header", "E": "cert",
        "r": "range", "O": "remote-name", "0": "http1.0", "4": "ipv4", "6": "ipv6", "j": "junk-session-cookies",
        "#": "progress-bar",
    ]
}
