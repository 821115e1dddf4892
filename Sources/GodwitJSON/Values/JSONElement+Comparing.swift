import GodwitSupport

extension JSONElement {
    /// Whether two values are equal: numbers by value, with all digits, and objects whatever the order of their members.
    ///
    /// Texts are equal by code units (RFC 8259 section 8.3). If a key occurs more than once, the first counts.
    package func isEqual(to other: JSONElement) -> Bool {
        switch (kind, other.kind) {
        case (.number, .number): exactNumber == other.exactNumber
        case (.array, .array): elements.elementsEqual(other.elements) { $0.isEqual(to: $1) }
        case (.object, .object): membersAreEqual(other)
        case (.string, .string): exactText == other.exactText
        default: kind == other.kind && bool == other.bool
        }
    }

    private func membersAreEqual(_ other: JSONElement) -> Bool {
        let (own, others) = (byName, other.byName)
        return own.count == others.count
            && own.allSatisfy { name, value in others[name].map(value.isEqual) ?? false }
    }

    private var byName: [ExactText: JSONElement] {
        Dictionary(members.lazy.map { (ExactText($0.key), $0.value) }) { first, _ in first }
    }

    private var exactNumber: ExactNumber { ExactNumber(source: String(decoding: source, as: UTF8.self)) }

    private var exactText: ExactText { ExactText(string ?? String(decoding: source, as: UTF8.self)) }
}
