/// A key known only at run time.
struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ key: String) {
        stringValue = key
        intValue = nil
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}

/// The path to a value in JSON, written as `results[3].published_at`.
struct JSONPlace: CustomStringConvertible {
    enum Step: Hashable {
        case key(String)
        case index(Int)
    }

    var steps: [Step] = []

    init(_ codingPath: [any CodingKey]) {
        steps = codingPath.map { key in key.intValue.map(Step.index) ?? .key(key.stringValue) }
    }

    /// The path with keys as sent, and the value there; `nil` if missing.
    func resolved(in root: JSONElement?, keys: JSONKeys) -> (path: JSONPlace, value: JSONElement?) {
        var (path, value) = (self, root)
        for (position, step) in steps.enumerated() {
            switch step {
            case .key(let key):
                let sent = value?.kind == .object ? Self.spelling(of: key, in: value, keys) : keys.written(key)
                path.steps[position] = .key(sent)
                value = value?[sent]
            case .index(let index): value = value?[index]
            }
        }
        return (path, value)
    }

    private static func spelling(of key: String, in object: JSONElement?, _ keys: JSONKeys) -> String {
        if case .asWritten = keys { return key }
        return object?.members.lazy.map(\.key).first { keys.read($0) == key } ?? keys.written(key)
    }

    /// Whether the value at the path must likely not be shown.
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
