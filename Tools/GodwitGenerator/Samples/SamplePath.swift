/// A path whose values are parameters.
struct SamplePath: Sendable, Hashable {
    enum Segment: Sendable, Hashable {
        case name(String)
        /// A parameter with its name.
        case value(String)
    }

    var segments: [Segment]

    /// `/articles/{id}`
    var text: String {
        "/"
            + segments.map { segment in
                switch segment {
                case .name(let name): name
                case .value(let name): "{\(name)}"
                }
            }.joined(separator: "/")
    }

    /// - Parameter names: The segments in order; `nil` for a value, and a template's own name in braces.
    init(_ names: [String?]) {
        var taken: Set<String> = []
        segments = []
        for (index, name) in names.enumerated() {
            if let name, Self.templateName(name) == nil {
                segments.append(.name(name))
                continue
            }
            let wanted = name.flatMap(Self.templateName) ?? Self.parameterName(at: index, in: names)
            var (unique, number) = (wanted, 2)
            while !taken.insert(unique).inserted {
                unique = "\(wanted)\(number)"
                number += 1
            }
            segments.append(.value(unique))
        }
    }

    /// `id` for the resource that the operation is about, and `articleId` for one that contains it.
    private static func parameterName(at index: Int, in names: [String?]) -> String {
        let next = index + 1 < names.count ? names[index + 1] : nil
        let isLast = index + 1 == names.count
        let precedesAction = index + 2 == names.count && next.map { !SampleWords.isPlural($0) } ?? false
        guard !isLast, !precedesAction, index > 0, let parent = names[index - 1], templateName(parent) == nil else {
            return "id"
        }
        return SampleWords.camel(SampleWords.item(parent) + ["id"])
    }

    /// The name in `{id}` or `:id`, as templates write it.
    static func templateName(_ segment: String) -> String? {
        if segment.hasPrefix(":"), segment.count > 1 { return String(segment.dropFirst()) }
        guard segment.hasPrefix("{"), segment.hasSuffix("}"), segment.count > 2 else { return nil }
        return String(segment.dropFirst().dropLast())
    }
}

/// Finds out which segments of paths are values: those that look like one, and those that differ between samples of
/// the same shape.
struct SamplePathTemplates {
    /// A path with what is known of its answer.
    struct Entry {
        var method: String
        var segments: [String]
        /// The answer; `nil` if it isn't JSON, or a failure.
        var answer: DocumentNode?

        /// The keys of the answer in order; empty if it isn't an object.
        fileprivate var keys: [String] { answer?.members.map(\.key) ?? [] }

        /// Whether the answer, or an object in it, has this text or number as a member.
        fileprivate func contains(_ value: String) -> Bool {
            let members = answer?.members ?? []
            return (members + members.flatMap(\.value.members)).contains { member in
                member.value.value == .string(value) || member.value.value == .number(value)
            }
        }
    }

    private let entries: [Entry]
    private(set) var paths: [[String?]]

    init(_ entries: [Entry]) {
        self.entries = entries
        paths = entries.map { $0.segments.map(Optional.some) }
        resolve(Array(entries.indices), depth: 0)
    }

    /// - Parameter group: Entries whose segments before `depth` are the same. Paths have at most 64 segments.
    private mutating func resolve(_ group: [Int], depth: Int) {
        let group = group.filter { entries[$0].segments.count > depth }
        guard !group.isEmpty, depth < 64 else { return }
        let (names, members) = grouped(group) { entries[$0].segments[depth] }
        let values = valueNames(names, members, depth)
        var merged: [Int] = []
        for name in names {
            let indices = members[name] ?? []
            if SamplePath.templateName(name) == nil, !values.contains(name) {
                resolve(indices, depth: depth + 1)
            } else {
                for index in indices where SamplePath.templateName(name) == nil { paths[index][depth] = nil }
                merged += indices
            }
        }
        resolve(merged.sorted(), depth: depth + 1)
    }

    private func valueNames(_ names: [String], _ members: [String: [Int]], _ depth: Int) -> Set<String> {
        var values = Set(names.filter { SampleText.isValue(SampleTarget.decoded(Substring($0))) })
        guard depth > 0, let first = members[names[0]]?.first, let parent = paths[first][depth - 1],
            SampleWords.isPlural(parent)
        else { return values }
        // Names of one collection whose answers have the same keys are slugs: /articles/first-day, /articles/rain.
        let candidates = names.filter { !Self.isReserved($0) || values.contains($0) }
        var owners: [String: [String]] = [:]
        for name in candidates {
            for signature in Set((members[name] ?? []).compactMap { signature($0, depth) }) {
                owners[signature, default: []].append(name)
            }
        }
        for names in owners.values where names.count > 1 { values.formUnion(names) }
        // A name that the answer repeats identifies it: /users/octocat.
        for name in candidates where (members[name] ?? []).contains(where: { identifies(name, $0, depth) }) {
            values.insert(name)
        }
        return values
    }

    private func identifies(_ name: String, _ index: Int, _ depth: Int) -> Bool {
        entries[index].segments.count == depth + 1 && entries[index].contains(SampleTarget.decoded(Substring(name)))
    }

    /// The method, the rest of the path and the keys of the answer.
    private func signature(_ index: Int, _ depth: Int) -> String? {
        let entry = entries[index]
        guard !entry.keys.isEmpty else { return nil }
        let rest = entry.segments.dropFirst(depth + 1).map { SampleText.isValue($0) ? "{}" : $0 }
        return "\(entry.method) \(rest.joined(separator: "/")) \(entry.keys.sorted().joined(separator: ","))"
    }

    private func grouped(_ group: [Int], by name: (Int) -> String) -> ([String], [String: [Int]]) {
        var (names, members) = ([String](), [String: [Int]]())
        for index in group {
            let name = name(index)
            if members[name] == nil { names.append(name) }
            members[name, default: []].append(index)
        }
        return (names, members)
    }

    /// Words that are operations or views of a collection rather than identifiers.
    private static func isReserved(_ name: String) -> Bool {
        SampleWords.isPlural(name) || SampleRoute.views.contains(name.lowercased())
            || SampleRoute.owners.contains(name.lowercased()) || SampleRoute.verbs.contains(name.lowercased())
    }
}
