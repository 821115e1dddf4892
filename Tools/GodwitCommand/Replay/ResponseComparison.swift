import Godwit
import GodwitPatterns
import GodwitSupport

/// What differs between a recorded response and a new one.
struct ResponseComparison {
    /// The maximum of differences that are listed of one body.
    private static let shownLimit = 20

    /// One line for each difference; empty if the responses are equal.
    let lines: [String]

    init(
        recorded: (head: HTTPResponseHead, body: Data), received: (head: HTTPResponseHead, body: Data),
        ignoring ignored: [JSONDifference.Pattern]
    ) {
        var lines: [String] = []
        let (old, new) = (recorded.head.status.code, received.head.status.code)
        if old != new { lines.append("status: recorded \(old), now \(new)") }
        // A body that was not recorded, or only in part, tells nothing.
        let expected = try? ExactJSON(parsing: recorded.body)
        if let expected, Self.isJSON(recorded.head) { lines += Self.lines(expected, received.body, ignored) }
        self.lines = lines
    }

    private static func lines(
        _ recorded: ExactJSON, _ received: Data, _ ignored: [JSONDifference.Pattern]
    ) -> [String] {
        guard let value = try? ExactJSON(parsing: received) else {
            let now = received.isEmpty ? "empty" : "\(received.count) bytes that aren't JSON"
            return ["body: recorded JSON, now \(now)"]
        }
        let differences = JSONDifference.between(recorded, value, ignoring: ignored)
        let rest = differences.count - shownLimit
        return differences.prefix(shownLimit).map(\.description) + (rest > 0 ? ["… and \(rest) more"] : [])
    }

    private static func isJSON(_ head: HTTPResponseHead) -> Bool {
        head.fields[.contentType].flatMap { MediaType($0) }?.isJSON == true
    }
}
