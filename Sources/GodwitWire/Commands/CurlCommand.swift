import GodwitSupport

/// A request described by a curl command line, parsed without running anything.
package struct CurlCommand {
    /// The body, as the options describe it.
    package enum Content: Sendable, Hashable {
        case none
        case text(String)
        case file(String)
        case form([FormPart])
    }

    /// One `-F`.
    package struct FormPart: Sendable, Hashable {
        package var name: String
        package var value: String
        /// Whether the value is a path to a file.
        package var isFile = false
        package var fileName: String?
        package var type: String?
    }

    /// Why a command line isn't a request.
    package struct Fault: Error, Hashable {
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    package private(set) var url = ""
    /// In the given order. `Name:`, which tells curl to omit its own field, isn't included.
    package private(set) var fields: [(name: String, value: String)] = []
    package private(set) var content = Content.none
    /// Seconds.
    package private(set) var totalTime: Double?
    package private(set) var connectTime: Double?
    private var explicitMethod: String?
    private var isHead = false
    private var isQuery = false
    private var isJSON = false
    /// The body comes from `-T`, which makes a PUT, instead of `--data-binary`.
    private var isUpload = false
    private let isSample: Bool
    private let readFile: ((String) throws(Fault) -> String)?

    /// Parses a command line, with or without a copied prompt and the word `curl`.
    ///
    /// - Parameters:
    ///   - isSample: Whether only the request counts: the word `curl` is needed, and options of a client, such as
    ///     `--proxy`, are ignored instead of refused.
    ///   - readFile: Returns the text of a file for `-d @FILE`; `nil` refuses that.
    package init(
        parsing line: String, isSample: Bool = false, readFile: ((String) throws(Fault) -> String)? = nil
    ) throws(Fault) {
        self.isSample = isSample
        self.readFile = readFile
        var words = try Self.words(line)[...]
        if words.first == "$" || words.first == "%" { words.removeFirst() }
        if let first = words.first, first == "curl" || first.hasSuffix("/curl") {
            words.removeFirst()
        } else if isSample {
            throw Fault(reason: "it must begin with `curl`")
        }
        while let word = words.popFirst() { try take(word, &words) }
        guard !url.isEmpty else { throw Fault(reason: "the command has no URL") }
        if isQuery { moveDataIntoQuery() }
        addContentFields()
        if !url.contains("://"), !url.hasPrefix("/") { url = "http://" + url }
    }

    /// The method curl would use.
    package var method: String {
        if let explicitMethod { return explicitMethod }
        if isHead { return "HEAD" }
        return switch content {
        case .none: "GET"
        case .file where isUpload: "PUT"
        default: "POST"
        }
    }

    private static func words(_ line: String) throws(Fault) -> [String] {
        do throws(ShellWords.Fault) {
            return try ShellWords.split(line)
        } catch {
            throw Fault(reason: error.description)
        }
    }

    // MARK: Options

    private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws(Fault) {
        if word.hasPrefix("--"), word.count > 2 {
            guard let option = CurlOption.named(word.dropFirst(2)) else {
                throw Fault(reason: "unknown option \(word.prefix { $0 != "=" })")
            }
            try apply(option, named: word, option.takesValue ? try Self.value(of: word, &rest) : "")
        } else if word.hasPrefix("-"), word.count > 1 {
            try takeLetters(word.dropFirst(), &rest)
        } else {
            try setURL(word)
        }
    }

    /// `-sSL`, `-XPOST`: flags may share a dash, and the last may carry its value.
    private mutating func takeLetters(_ word: Substring, _ rest: inout ArraySlice<String>) throws(Fault) {
        var letters = word
        while let letter = letters.popFirst() {
            guard let option = CurlOption.lettered(letter) else { throw Fault(reason: "unknown option -\(letter)") }
            guard option.takesValue else {
                try apply(option, named: "-\(letter)", "")
                continue
            }
            let value = letters.isEmpty ? try Self.value(of: "-\(letter)", &rest) : String(letters)
            return try apply(option, named: "-\(letter)", value)
        }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(Fault) -> String {
        guard let value = rest.popFirst() else { throw Fault(reason: "option \(option) needs a value") }
        return value
    }

    private mutating func apply(_ option: CurlOption, named name: String, _ value: String) throws(Fault) {
        switch option {
        case .ignored: break
        case .ofClient where isSample, .insecure where isSample: break
        case .ofClient(let setting, _):
            throw Fault(reason: "\(name) is not part of a request; set `\(setting)` of the client or its transport")
        case .insecure: throw Fault(reason: "\(name) is refused: certificates are always verified. Add an authority")
        case .method: explicitMethod = value
        case .head: isHead = true
        case .asQuery: isQuery = true
        case .url: try setURL(value)
        case .totalTime: totalTime = try Self.seconds(value, name)
        case .connectTime: connectTime = try Self.seconds(value, name)
        case .header: try addHeader(value)
        case .user: add("Authorization", "Basic " + Data(value.utf8).base64EncodedString())
        case .bearer: add("Authorization", "Bearer " + value)
        case .userAgent: add("User-Agent", value)
        case .range: add("Range", "bytes=" + value)
        case .referer: add("Referer", value)
        case .cookie:
            guard value.contains("=") else {
                throw Fault(reason: "\(name) would read a file of cookies; write NAME=VALUE")
            }
            add("Cookie", value)
        default: try addContent(option, named: name, value)
        }
    }

    private mutating func setURL(_ text: String) throws(Fault) {
        guard url.isEmpty else { throw Fault(reason: "the command has more than one URL") }
        url = text
    }

    private static func seconds(_ text: String, _ option: String) throws(Fault) -> Double {
        guard let seconds = Double(text), seconds.isFinite, seconds >= 0 else {
            throw Fault(reason: "\(option) needs a number of seconds, not \"\(text)\"")
        }
        return seconds
    }

    private mutating func addHeader(_ line: String) throws(Fault) {
        if line.hasSuffix(";"), !line.contains(":") { return add(String(line.dropLast()), "") }
        guard let colon = line.firstIndex(of: ":") else {
            throw Fault(reason: "a header has no colon; write NAME: VALUE")
        }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        // `Name:` tells curl to omit a default field; there are none here.
        if !value.isEmpty { add(String(line[..<colon]), String(value)) }
    }

    private mutating func add(_ name: String, _ value: String) {
        fields.append((name, value))
    }

    /// Adds a field unless the command has one of that name.
    private mutating func addDefault(_ name: String, _ value: String) {
        if !has(name) { add(name, value) }
    }

    private func has(_ name: String) -> Bool {
        fields.contains { $0.name.asciiLowercased == name.asciiLowercased }
    }

    // MARK: Content

    private mutating func addContent(_ option: CurlOption, named name: String, _ value: String) throws(Fault) {
        switch option {
        case .data: try addText(try text(of: value, named: name), separator: "&")
        case .json:
            try addText(try text(of: value, named: name), separator: "")
            isJSON = true
        case .dataBinary where value.hasPrefix("@"): try setFile(String(value.dropFirst()), isUpload: false)
        case .dataRaw, .dataBinary: try addText(value, separator: "&")
        case .dataURLEncoded: try addText(try encoded(value), separator: "&")
        case .form: try addPart(named: value) { $0.readModifiers() }
        case .formString: try addPart(named: value) { _ in }
        case .uploadFile: try setFile(value, isUpload: true)
        default: break
        }
    }

    /// The value, or the text of the file that it names with `@`, without its line breaks.
    private func text(of value: String, named name: String) throws(Fault) -> String {
        guard value.hasPrefix("@") else { return value }
        guard let readFile else {
            throw Fault(
                reason: "\(name) \(value) would read a file without its line breaks; use --data-binary \(value)")
        }
        return try readFile(String(value.dropFirst())).filter { !$0.isNewline }
    }

    private mutating func setFile(_ path: String, isUpload: Bool) throws(Fault) {
        guard content == .none else { throw Fault(reason: "the command has more than one body") }
        guard path != "-", !path.isEmpty else { throw Fault(reason: "a body from standard input can't be read here") }
        content = .file(path)
        self.isUpload = isUpload
    }

    private mutating func addText(_ text: String, separator: String) throws(Fault) {
        switch content {
        case .none: content = .text(text)
        case .text(let earlier): content = .text(earlier + separator + text)
        case .file, .form: throw Fault(reason: "the command has more than one body")
        }
    }

    /// `content`, `=content`, `name=content`; `@file` and `name@file` as for `-d`.
    private func encoded(_ value: String) throws(Fault) -> String {
        guard let sign = value.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
            return PercentEncoding.encode(value, allowing: .unreserved)
        }
        let (name, rest) = (value[..<sign], String(value[value.index(after: sign)...]))
        var text = rest
        if value[sign] == "@" {
            guard let readFile else { throw Fault(reason: "--data-urlencode with @ would read a file") }
            text = try readFile(rest)
        }
        return (name.isEmpty ? "" : name + "=") + PercentEncoding.encode(text, allowing: .unreserved)
    }

    /// `name=value`, `name=@path;filename=x;type=y`.
    private mutating func addPart(named text: String, _ read: (inout FormPart) -> Void) throws(Fault) {
        guard let equals = text.firstIndex(of: "=") else { throw Fault(reason: "a form part has no =") }
        var part = FormPart(name: String(text[..<equals]), value: String(text[text.index(after: equals)...]))
        read(&part)
        switch content {
        case .none: content = .form([part])
        case .form(let parts): content = .form(parts + [part])
        case .text, .file: throw Fault(reason: "the command has more than one body")
        }
    }

    /// Adds the fields that curl sends with a body by default.
    private mutating func addContentFields() {
        switch content {
        case .none, .form: break
        case .text where isJSON:
            addDefault("Content-Type", "application/json")
            addDefault("Accept", "application/json")
        case .file where isUpload: break
        case .text, .file: addDefault("Content-Type", "application/x-www-form-urlencoded")
        }
    }

    private mutating func moveDataIntoQuery() {
        guard case .text(let text) = content else { return }
        content = .none
        url += (url.contains("?") ? "&" : "?") + text
    }
}

extension CurlCommand.FormPart {
    fileprivate mutating func readModifiers() {
        let pieces = value.split(separator: ";", omittingEmptySubsequences: false)
        value = pieces.first.map(String.init) ?? ""
        for piece in pieces.dropFirst() {
            if piece.hasPrefix("type=") {
                type = String(piece.dropFirst(5))
            } else if piece.hasPrefix("filename=") {
                fileName = String(piece.dropFirst(9))
            } else {
                value += ";" + piece
            }
        }
        if value.hasPrefix("@") {
            isFile = true
            value.removeFirst()
        }
    }
}
