/// What tells the responses for one URL apart: the request fields that `Vary` names (RFC 9111 section 4.1).
package enum VaryKey {
    /// The values of the fields that a response's `Vary` names, as text; empty where it names none, nil for `*`, which
    /// no request ever matches.
    ///
    /// Names count without case and order; of values, blanks around commas do not count, and fields of one name count
    /// as one. A field that is missing differs from one that is empty.
    package static func make(vary: HTTPFields, request: HTTPFields) -> String? {
        guard let value = vary[.vary] else { return "" }
        let names = Set(members(value).map(\.asciiLowercased))
        guard !names.contains("*") else { return nil }
        return names.sorted().compactMap { line($0, of: request) }.joined(separator: "\n")
    }

    private static func line(_ name: String, of request: HTTPFields) -> String? {
        guard let name = HTTPField.Name(name) else { return nil }
        guard let value = request[name] else { return name.rawName }
        // Commas between quotes separate nothing; a value that has any is compared as it is.
        let normalised = value.contains("\"") ? value : members(value).joined(separator: ",")
        return "\(name): \(normalised)"
    }

    private static func members(_ value: String) -> [String] {
        value.split(separator: ",").map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
    }
}

extension CachedResponse {
    /// Whether a request with these fields is one that the response answers.
    package func matches(_ request: HTTPFields) -> Bool {
        VaryKey.make(vary: fields, request: request) == variant
    }
}

extension Collection where Element == CachedResponse {
    /// The response that answers a request with these fields: of several the one made last (section 4.1).
    package func selected(for request: HTTPFields) -> CachedResponse? {
        self.filter { $0.matches(request) }.max { $0.made < $1.made }
    }
}

extension CachedResponse {
    /// When the response was made, as far as can be told.
    var made: Date {
        responseTime.addingTimeInterval(-initialAge)
    }
}
