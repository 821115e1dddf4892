import Godwit
import GodwitPatterns

/// The place of a value in JSON: `.data.items`, `.pages[0]["@next"]`, or `.` for the whole value.
struct MemberPath: Sendable, Hashable {
    let text: String
    private let segments: [JSONPath.Segment]

    /// A path of names and indexes.
    init(_ text: String) throws(SyntaxFault) {
        self.text = text
        let rest = text == "." || text.hasPrefix(".[") ? String(text.dropFirst()) : text
        segments = try JSONPathParser.path(rest.hasPrefix("$") ? rest : "$" + rest).segments
        let isPlain = segments.allSatisfy { segment in
            switch segment.selector {
            case .name, .index: !segment.isDescendant
            default: false
            }
        }
        if !isPlain { throw SyntaxFault("the path must lead to one value, by names and indexes", at: 0) }
    }

    /// A path of names.
    init(names: String...) {
        text = names.map { ".\($0)" }.joined()
        segments = names.map { JSONPath.Segment(selector: .name($0)) }
    }

    func find(in root: JSONElement) -> JSONElement? {
        var value = root
        for segment in segments {
            let next: JSONElement? =
                switch segment.selector {
                case .name(let name): value[name]
                case .index(let index): value[index < 0 ? index + value.elements.count { _ in true } : index]
                default: nil
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }
}
