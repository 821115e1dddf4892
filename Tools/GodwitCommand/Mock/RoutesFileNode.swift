import Godwit

/// A value of a file of routes, with its path for errors.
struct RoutesFileNode {
    private let element: JSONElement
    private let path: String

    /// The key under which the value stands.
    let name: String

    init(_ element: JSONElement, _ path: String, name: String = "") {
        self.element = element
        self.path = path
        self.name = name
    }

    var isObject: Bool { element.kind == .object }
    var isArray: Bool { element.kind == .array }

    /// The JSON as it is written.
    var source: Data { element.source }

    func has(_ key: String) -> Bool { element[key] != nil }

    subscript(key: String) -> RoutesFileNode? {
        get throws(RoutesFileError) {
            guard isObject else { throw error("must be an object") }
            return element[key].map { RoutesFileNode($0, path.isEmpty ? key : "\(path).\(key)", name: key) }
        }
    }

    /// Refuses members that have no meaning, which are mostly typing errors.
    func check(_ known: [String]) throws(RoutesFileError) {
        for member in try members() where !known.contains(member.name) {
            let hint = Suggestion.text(for: member.name, among: known)
            throw member.error("is unknown\(hint.isEmpty ? "; known are \(known.joined(separator: ", "))" : hint)")
        }
    }

    func members() throws(RoutesFileError) -> [RoutesFileNode] {
        guard isObject else { throw error("must be an object") }
        return element.members.map { member in
            RoutesFileNode(member.value, path.isEmpty ? member.key : "\(path).\(member.key)", name: member.key)
        }
    }

    func elements() throws(RoutesFileError) -> [RoutesFileNode] {
        guard isArray else { throw error("must be an array") }
        return element.elements.enumerated().map { RoutesFileNode($1, "\(path)[\($0)]") }
    }

    func text() throws(RoutesFileError) -> String {
        guard let text = element.string else { throw error("must be a string") }
        return text
    }

    func texts() throws(RoutesFileError) -> [String: String] {
        var texts: [String: String] = [:]
        for member in try members() { texts[member.name] = try member.text() }
        return texts
    }

    func integer(in range: ClosedRange<Int>) throws(RoutesFileError) -> Int {
        guard let number = element.integer(Int.self), range.contains(number) else {
            throw error("must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func seconds() throws(RoutesFileError) -> Double {
        guard let number = element.double, (0...86_400).contains(number) else {
            throw error("must be a number of seconds from 0 to 86400")
        }
        return number
    }

    /// The problem with this value, with its path and line.
    func error(_ problem: String) -> RoutesFileError {
        let subject = path.isEmpty ? "the file" : path
        return RoutesFileError(description: "line \(element.position.line): \(subject) \(problem)")
    }
}
