/// The key of a response variant: the request fields that `Vary` names (RFC 9111 section 4.1).
enum VaryKey {
    /// The values of the request fields that `Vary` names, as text; empty if it names none, `nil` for `*`, which never
    /// matches.
    ///
    /// Case and order of names don't matter, nor do blanks around commas in values; repeated fields are joined. A
    /// missing field differs from an empty one.
    static func make(vary: HTTPFields, request: HTTPFields) -> String? {
        guard let value = vary[.vary] else { return "" }
        let names = Set(members(value).map(\.asciiLowercased))
        guard !names.contains("*") else { return nil }
        return names.sorted().compactMap { line($0, of: request) }.joined(separator: "\n")
    }

    private static func line(_ name: String, of request: HTTPFields) -> String? {
        guard let name = HTTPField.Name(name) else { return nil }
        guard let value = request[name] else { return name.rawName }
        // Commas within quotes aren't separators; a value with quotes is compared as is.
        let normalized = value.contains("\"") ? value : members(value).joined(separator: ",")
        return "\(name): \(normalized)"
    }

    private static func members(_ value: String) -> [String] {
        value.split(separator: ",").map(\.trimmingBlanks).filter { !$0.isEmpty }
    }
}

extension CachedResponse {
    /// Whether the response matches a request with these fields.
    package func matches(_ request: HTTPFields) -> Bool {
        VaryKey.make(vary: fields, request: request) == variant
    }
}

extension Collection where Element == CachedResponse {
    /// The response that matches a request with these fields; the newest if several do (section 4.1).
    package func selected(for request: HTTPFields) -> CachedResponse? {
        self.filter { $0.matches(request) }.max { $0.made < $1.made }
    }
}

extension CachedResponse {
    /// When the response was created, as far as known.
    var made: Date {
        responseTime.addingTimeInterval(-initialAge)
    }
}
