import GodwitCore

/// The differences between a recorded and a sent request.
struct RequestComparison {
    private static let shownLength = 120

    private(set) var differences: [CassetteMismatch.Difference] = []
    /// A measure of the differences; smaller is closer.
    private(set) var distance = 0

    /// Whether the recording matches the request.
    var fits: Bool { differences.isEmpty }

    init(_ recorded: RecordedRequest, _ sent: RecordedRequest, _ matching: Cassette.Matching) {
        if recorded.method != sent.method { note(.method, recorded.method, sent.method, weight: 1000) }
        let urls = [recorded, sent].map { Self.url($0.url, without: matching.ignoredQueryItems) }
        if urls[0] != urls[1] {
            // The URL with the longest common prefix is probably the intended one.
            let common = urls[0].commonPrefix(with: urls[1])
            note(.url, urls[0], urls[1], weight: 2000 + max(urls[0].count, urls[1].count) - common)
        }
        for name in matching.fields.sorted(by: { $0.canonicalName < $1.canonicalName }) {
            let values = [recorded, sent].map { $0.fields.fields[name] }
            if values[0] != values[1] { note(.field(name), values[0], values[1], weight: 10) }
        }
        if matching.content == .compared, !Self.haveSameContent(recorded, sent) {
            note(.body, Self.words(recorded.body), Self.words(sent.body), weight: 10)
        }
    }

    private mutating func note(
        _ part: CassetteMismatch.Difference.Part, _ recorded: String?, _ sent: String?, weight: Int
    ) {
        distance += weight
        let common = (recorded ?? "").commonPrefix(with: sent ?? "")
        differences.append(
            CassetteMismatch.Difference(
                part, recorded: recorded.map { Self.shown($0, from: common) },
                sent: sent.map { Self.shown($0, from: common) }))
    }

    /// Shortens a long text to the difference.
    private static func shown(_ text: String, from common: Int) -> String {
        let start = text.count <= shownLength ? 0 : max(0, common - shownLength / 3)
        let part = text.dropFirst(start)
        return (start > 0 ? "…" : "") + part.prefix(shownLength) + (part.count > shownLength ? "…" : "")
    }

    private static func url(_ text: String, without ignored: Set<String>) -> String {
        guard !ignored.isEmpty, let mark = text.firstIndex(of: "?") else { return text }
        let items = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = items.filter { item in
            let name = item.prefix { $0 != "=" }
            return !ignored.contains(PercentEncoding.decode(name) ?? String(name))
        }
        return kept.isEmpty ? String(text[..<mark]) : text[...mark] + kept.joined(separator: "&")
    }

    private static func haveSameContent(_ recorded: RecordedRequest, _ sent: RecordedRequest) -> Bool {
        let contents = [recorded, sent].map(content)
        if contents[0] == contents[1] { return true }
        let areJSON = [recorded, sent].allSatisfy { type(of: $0)?.isJSON == true }
        guard areJSON, let tree = try? JSONDocument(parsing: contents[0]).root else { return false }
        return (try? JSONDocument(parsing: contents[1]).root).map(tree.isEqual) ?? false
    }

    /// The body with a fixed boundary, because each request has a random one.
    private static func content(of request: RecordedRequest) -> Data {
        let data = request.body?.data ?? Data()
        guard let boundary = type(of: request)?.boundary, !boundary.isEmpty else { return data }
        var rest = data[...]
        var result = Data()
        while let range = rest.firstRange(of: Data(boundary.utf8)) {
            result += rest[..<range.lowerBound] + Data("boundary".utf8)
            rest = rest[range.upperBound...]
        }
        return result + rest
    }

    private static func type(of request: RecordedRequest) -> MediaType? {
        request.fields.fields[.contentType].flatMap { MediaType($0) }
    }

    private static func words(_ body: RecordedBody?) -> String? {
        switch body {
        case .text(let text): text
        case .base64(let data): "\(data.count) bytes: \(data.base64EncodedString())"
        case nil: nil
        }
    }
}

extension String {
    /// The length of the common prefix.
    fileprivate func commonPrefix(with other: String) -> Int {
        zip(self, other).prefix { $0 == $1 }.count
    }
}
