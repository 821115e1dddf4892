public import GodwitCore

/// Why no recording of a ``Cassette`` matches a request: the differences from the closest one.
///
/// ```text
/// no recording answers GET https://api.example.com/articles?page=2
/// recording 3 (GET https://api.example.com/articles?page=1) is the closest:
///   url: recorded …/articles?page=1
///            sent …/articles?page=2
/// ```
///
/// It is the `underlying` error of the `.invalidRequest` that a cassette throws. Secrets are redacted, unless they were kept.
public struct CassetteMismatch: Error, Sendable, Hashable {
    /// One difference between the request and the recording.
    public struct Difference: Sendable, Hashable {
        /// A part of a request.
        public enum Part: Sendable, Hashable {
            /// The method, the URL or the body: the part that the case is named after.
            case method, url, body
            /// The header field of this name.
            case field(HTTPField.Name)
        }

        /// The part that differs.
        public let part: Part

        /// The recorded value, shortened to the difference; `nil` if absent.
        public let recorded: String?

        /// The sent value, shortened to the difference; `nil` if absent.
        public let sent: String?

        package init(_ part: Part, recorded: String?, sent: String?) {
            self.part = part
            self.recorded = recorded
            self.sent = sent
        }
    }

    /// The request, as `GET https://api.example.com/articles`.
    public let request: String

    /// The number of the closest recording, from 1; `nil` if the cassette is empty. In the recorded order, it is the next
    /// unused recording.
    public let recording: Int?

    /// The request of that recording.
    public let recordedRequest: String?

    /// How the request differs from that recording.
    public let differences: [Difference]

    /// The number of a recording that matches, but was used already or is not next.
    public let outOfTurn: Int?

    /// Whether every recording was used.
    public let isUsedUp: Bool
}

extension CassetteMismatch: CustomStringConvertible {
    /// The request and each difference, one per line.
    public var description: String {
        var lines = ["no recording answers \(request)"]
        if isUsedUp { lines.append("every recording was used") }
        if let outOfTurn { lines.append("recording \(outOfTurn) would match, but it is not next") }
        guard let recording, let recordedRequest else { return lines[0] + "\nthe cassette is empty" }
        guard !differences.isEmpty else { return lines.joined(separator: "\n") }
        lines.append("recording \(recording) (\(recordedRequest)) is the closest:")
        return (lines + differences.map(\.description)).joined(separator: "\n")
    }
}

extension CassetteMismatch.Difference: CustomStringConvertible {
    /// The part and both values.
    public var description: String {
        "  \(part): recorded \(recorded ?? "nothing"), sent \(sent ?? "nothing")"
    }
}

extension CassetteMismatch.Difference.Part: CustomStringConvertible {
    /// The name of the part.
    public var description: String {
        switch self {
        case .method: "method"
        case .url: "url"
        case .body: "body"
        case .field(let name): "field \(name)"
        }
    }
}
