import Godwit
import GodwitSupport

/// A difference between two JSON values, with its path.
struct JSONDifference: Sendable, Hashable, CustomStringConvertible {
    /// A key or an index on the way to a value.
    enum Step: Sendable, Hashable {
        case key(String)
        case index(Int)
    }

    /// What a recorder writes in place of a secret.
    private static let redacted = ExactJSON.string("<redacted>")

    let path: [Step]
    /// `nil` if the value is missing.
    let recorded: ExactJSON?
    let received: ExactJSON?

    var description: String {
        let path = path.isEmpty ? "." : Self.text(path)
        return switch (recorded, received) {
        case (let recorded?, nil): "\(path): recorded \(Self.text(recorded)), now missing"
        case (nil, let received?): "\(path): not recorded, now \(Self.text(received))"
        default: "\(path): recorded \(Self.text(recorded)), now \(Self.text(received))"
        }
    }

    /// All differences, members in the order of their names. What was redacted in the recording equals anything.
    static func between(
        _ recorded: ExactJSON, _ received: ExactJSON, ignoring ignored: [Pattern]
    ) -> [JSONDifference] {
        var found: [JSONDifference] = []
        collect(recorded, received, at: [], ignored, &found)
        return found
    }

    private static func collect(
        _ recorded: ExactJSON?, _ received: ExactJSON?, at path: [Step], _ ignored: [Pattern],
        _ found: inout [JSONDifference]
    ) {
        if isEqual(recorded, received) || ignored.contains(where: { $0.matches(path) }) { return }
        switch (recorded, received) {
        case (.object(let left), .object(let right)):
            for key in Set(left.keys).union(right.keys).sorted() {
                collect(left[key], right[key], at: path + [.key(key.description)], ignored, &found)
            }
        case (.array(let left), .array(let right)):
            for index in 0..<max(left.count, right.count) {
                // `nil` would be JSON's null.
                let (old, new) = (left.dropFirst(index).first, right.dropFirst(index).first)
                collect(old, new, at: path + [.index(index)], ignored, &found)
            }
        default: found.append(JSONDifference(path: path, recorded: recorded, received: received))
        }
    }

    private static func isEqual(_ recorded: ExactJSON?, _ received: ExactJSON?) -> Bool {
        recorded == redacted && received != nil || recorded == received
    }

    private static func text(_ path: [Step]) -> String {
        path.map { step in
            switch step {
            case .key(let key): ".\(key)"
            case .index(let index): "[\(index)]"
            }
        }.joined()
    }

    /// The value on one line, up to 80 characters.
    private static func text(_ value: ExactJSON?) -> String {
        let text = value?.text ?? ""
        return text.count <= 80 ? text : text.prefix(79) + "…"
    }
}

extension JSONDifference {
    /// A path to ignore, with everything below: `.items[].id`, `.items[0]`, `.meta`.
    struct Pattern: Sendable, Hashable {
        private enum Step: Sendable, Hashable {
            case key(String)
            case index(Int)
            case anyIndex
        }

        private let steps: [Step]

        /// `nil` if the text isn't a path.
        init?(_ text: String) {
            var steps: [Step] = []
            var rest = text[...]
            while let first = rest.popFirst() {
                switch first {
                case ".":
                    let key = rest.prefix { $0 != "." && $0 != "[" }
                    rest = rest[key.endIndex...]
                    // `.[0]` is an element of the root.
                    if key.isEmpty, rest.first != "[" { return nil }
                    if !key.isEmpty { steps.append(.key(String(key))) }
                case "[":
                    let index = rest.prefix { $0 != "]" }
                    guard index.endIndex < rest.endIndex, index.isEmpty || Int(index) != nil else { return nil }
                    rest = rest[index.endIndex...].dropFirst()
                    steps.append(Int(index).map(Step.index) ?? .anyIndex)
                default: return nil
                }
            }
            guard !steps.isEmpty else { return nil }
            self.steps = steps
        }

        /// Whether the pattern is the path, or the beginning of it.
        func matches(_ path: [JSONDifference.Step]) -> Bool {
            guard path.count >= steps.count else { return false }
            return zip(steps, path).allSatisfy { pattern, step in
                switch (pattern, step) {
                case (.key(let wanted), .key(let key)): wanted == key
                case (.index(let wanted), .index(let index)): wanted == index
                case (.anyIndex, .index): true
                default: false
                }
            }
        }
    }
}
