public import GodwitCore

/// Why no recording of a ``Cassette`` answers a request: what is different in the one that comes closest.
///
/// ```text
/// no recording answers GET https://api.example.com/articles?page=2
/// recording 3 (GET https://api.example.com/articles?page=1) is the closest:
///   url: recorded …/articles?page=1
///            sent …/articles?page=2
/// ```
///
/// The `underlying` error of what a cassette throws. It shows no secrets, unless they were kept.
public struct CassetteMismatch: Error, Sendable, Hashable {
    /// One thing that is not as it was recorded.
    public struct Difference: Sendable, Hashable {
        /// What is different.
        public enum Part: Sendable, Hashable {
            case method, url, body
            case field(HTTPField.Name)
        }

        /// What is different.
        public let part: Part

        /// What was recorded, shortened to where the difference begins; nil for nothing.
        public let recorded: String?

        /// What was sent, shortened alike; nil for nothing.
        public let sent: String?

        /// Makes a difference, to compare with.
        ///
        /// - Parameters:
        ///   - part: What differs.
        ///   - recorded: What was recorded; nil where there was none.
        ///   - sent: What was sent now; nil where there is none.
        public init(_ part: Part, recorded: String?, sent: String?) {
            self.part = part
            self.recorded = recorded
            self.sent = sent
        }
    }

    /// The request, as `GET https://api.example.com/articles`.
    public let request: String

    /// The number of the recording that comes closest, from 1; nil where there is none at all.
    ///
    /// Where recordings are used in order: the one whose turn it was.
    public let recording: Int?

    /// The request of that recording.
    public let recordedRequest: String?

    /// How the request differs from that recording.
    public let differences: [Difference]

    /// The number of a recording that does fit, but was used already, or whose turn has not come.
    public let outOfTurn: Int?

    /// Whether every recording was used.
    public let isUsedUp: Bool
}

extension CassetteMismatch: CustomStringConvertible {
    /// What was asked for and what is different, a line each.
    public var description: String {
        var lines = ["no recording answers \(request)"]
        if isUsedUp { lines.append("every recording was used") }
        if let outOfTurn { lines.append("recording \(outOfTurn) would fit, but it is not its turn") }
        guard let recording, let recordedRequest else { return lines[0] + "\nthe cassette is empty" }
        guard !differences.isEmpty else { return lines.joined(separator: "\n") }
        lines.append("recording \(recording) (\(recordedRequest)) is the closest:")
        return (lines + differences.map(\.description)).joined(separator: "\n")
    }
}

extension CassetteMismatch.Difference: CustomStringConvertible {
    /// The part, and both sides.
    public var description: String {
        "  \(part): recorded \(recorded ?? "nothing"), sent \(sent ?? "nothing")"
    }
}

extension CassetteMismatch.Difference.Part: CustomStringConvertible {
    /// The part in a word.
    public var description: String {
        switch self {
        case .method: "method"
        case .url: "url"
        case .body: "body"
        case .field(let name): "field \(name)"
        }
    }
}
