import Godwit

/// The body of a request as text for a person, without secrets.
enum BodyText {
    /// The maximum bytes that are shown.
    static let limit = 64 << 10

    /// Returns the body, or its size if it can't be read twice, is long or isn't text.
    static func shown(_ body: HTTPBody, type: String?) async -> String {
        guard body.isReplayable, let length = body.length, length <= limit,
            let data = try? await body.collect(upTo: limit)
        else { return "[a body of \(body.length.map { "\($0) bytes" } ?? "unknown length")]" }
        return text(data, type: type.flatMap(MediaType.init(_:)))
    }

    static func text(_ data: Data, type: MediaType?) -> String {
        guard let text = String(validating: data, as: UTF8.self), !text.utf8.contains(0) else {
            return "[\(data.count) bytes that are not text]"
        }
        if type?.isJSON == true, let json = try? JSONText(parsing: data) { return redacted(json).text(.compact) }
        guard type?.essence == MediaType.form.essence else { return TerminalText.escapedLines(text) }
        let pairs = text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            let name = pair.prefix { $0 != "=" }
            return isSecret(String(name)) ? "\(name)=<redacted>" : String(pair)
        }
        return TerminalText.escapedLines(pairs.joined(separator: "&"))
    }

    private static func redacted(_ json: JSONText) -> JSONText {
        switch json {
        case .token: return json
        case .array(let elements): return .array(elements.map(redacted))
        case .object(let members):
            return .object(
                members.map { member in
                    let isHidden = isSecret(String(member.name.dropFirst().dropLast()))
                    return .init(name: member.name, value: isHidden ? .string("<redacted>") : redacted(member.value))
                })
        }
    }

    /// Whether a member of this name may be a secret, by the rule for header fields.
    private static func isSecret(_ name: String) -> Bool {
        guard let name = HTTPField.Name(name), let field = HTTPField(name: name, value: "-") else { return false }
        return field.description.hasSuffix("<redacted>")
    }
}
