/// The way to a value in JSON, written as `results[3].published_at`.
struct JSONPath: CustomStringConvertible {
    enum Step: Hashable {
        case key(String)
        case index(Int)
    }

    var steps: [Step] = []

    init(_ codingPath: [any CodingKey]) {
        steps = codingPath.map { key in key.intValue.map(Step.index) ?? .key(key.stringValue) }
    }

    /// The path as the sender spelled its keys, and the value there; nil for a value that is not there.
    func resolved(in root: JSONTree?, keys: JSONKeys) -> (path: JSONPath, value: JSONTree?) {
        var (path, value) = (self, root)
        for (position, step) in steps.enumerated() {
            switch (step, value) {
            case (.key(let key), .object(let members)?):
                let sent = Self.spelling(of: key, in: members, keys: keys)
                path.steps[position] = .key(sent)
                value = members[sent]
            case (.index(let index), .array(let elements)?):
                value = elements.indices.contains(index) ? elements[index] : nil
            case (.key(let key), _):
                path.steps[position] = .key(keys.written(key))
                value = nil
            default:
                value = nil
            }
        }
        return (path, value)
    }

    private static func spelling(of key: String, in members: [String: JSONTree], keys: JSONKeys) -> String {
        if case .asWritten = keys { return key }
        return members.keys.first { keys.read($0) == key } ?? keys.written(key)
    }

    /// Whether the value there is likely one that must not be shown.
    var isSecret: Bool {
        steps.contains { step in
            if case .key(let key) = step { SecretName.isSecret(key) } else { false }
        }
    }

    var description: String {
        steps.reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
