/// Follows a path through a document, and remembers why it led nowhere.
struct PathTracker: Sendable {
    /// What a value is to the path.
    enum Role: Sendable {
        /// The array at the path.
        case target
        /// An object or array on the way.
        case onPath
        case other
    }

    /// An open container on the path.
    private struct Level: Sendable {
        /// How many elements of an array were seen.
        var count = 0
        /// Whether the last key is the wanted one.
        var isNext = false
        /// Whether the wanted key or index was seen.
        var hasNext = false
        var keys = SeenKeys()
    }

    private let path: ElementPath
    private var levels: [Level] = []
    private(set) var isFound = false
    /// The failure that got furthest on the path, and the number of steps that it got.
    private var failure: (error: JSONElementError, steps: Int)?

    init(_ path: ElementPath) {
        self.path = path
    }

    /// Open containers on the path.
    var level: Int { levels.count }

    /// Why no array was found.
    var error: JSONElementError {
        failure?.error ?? .missing(path: path.text(upTo: path.steps.count), hint: "the document ends before it")
    }

    /// A key of the container on the path.
    mutating func key(_ key: KeyText) {
        let last = levels.count - 1
        guard last >= 0 else { return }
        var wanted: String?
        if last < path.steps.count, case .key(let step) = path.steps[last] { wanted = step }
        let isNext = !key.isTruncated && wanted.map { key.bytes.elementsEqual($0.utf8) } ?? false
        levels[last].isNext = isNext
        if isNext {
            levels[last].hasNext = true
        } else {
            levels[last].keys.add(key, wanted: wanted)
        }
    }

    /// A value in the container on the path, or the root.
    ///
    /// - Parameter first: Its first byte.
    mutating func value(_ first: UInt8) -> Role {
        guard isOnPath() else { return .other }
        let isArray = first == UInt8(ascii: "[")
        guard level < path.steps.count else { return target(first) }
        switch path.steps[level] {
        case .key where first == UInt8(ascii: "{"), .index where isArray:
            levels.append(Level())
            return .onPath
        case .key: mismatch("an object", first)
        case .index: mismatch("an array", first)
        }
        return .other
    }

    private mutating func target(_ first: UInt8) -> Role {
        switch first {
        case UInt8(ascii: "["):
            isFound = true
            return .target
        case UInt8(ascii: "{"):
            // Its keys are the hint.
            levels.append(Level())
            return .onPath
        default:
            mismatch("an array", first)
            return .other
        }
    }

    /// Whether the next value is at the path so far. Counts elements.
    private mutating func isOnPath() -> Bool {
        let last = levels.count - 1
        guard last >= 0 else { return true }
        guard last < path.steps.count, case .index(let index) = path.steps[last] else { return levels[last].isNext }
        defer { levels[last].count &+= 1 }
        if levels[last].count == index { levels[last].hasNext = true }
        return levels[last].count == index
    }

    /// The container on the path ended.
    mutating func close() {
        guard let closed = levels.popLast() else { return }
        let steps = levels.count
        guard steps < path.steps.count else {
            let found = closed.keys.isEmpty ? "an empty object" : "an object with \(closed.keys.list)"
            note(.typeMismatch(path: path.text(upTo: steps), expected: "an array", found: found), steps)
            return
        }
        if closed.hasNext { return }
        let hint =
            switch path.steps[steps] {
            case .key: closed.keys.hint
            case .index: "the array has \(closed.count) element\(closed.count == 1 ? "" : "s")"
            }
        note(.missing(path: path.text(upTo: steps + 1), hint: hint), steps)
    }

    private mutating func mismatch(_ expected: String, _ first: UInt8) {
        let error = JSONElementError.typeMismatch(
            path: path.text(upTo: level), expected: expected, found: Self.name(ofValue: first))
        note(error, level)
    }

    private mutating func note(_ error: JSONElementError, _ steps: Int) {
        if let failure, failure.steps >= steps { return }
        failure = (error, steps)
    }

    private static func name(ofValue first: UInt8) -> String {
        switch first {
        case UInt8(ascii: "{"): "an object"
        case UInt8(ascii: "["): "an array"
        case UInt8(ascii: "\""): "a string"
        case UInt8(ascii: "t"): "true"
        case UInt8(ascii: "f"): "false"
        case UInt8(ascii: "n"): "null"
        default: "a number"
        }
    }
}
