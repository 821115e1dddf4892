/// A coding key of any text.
struct AnyKey: CodingKey, Hashable, Sendable {
    let stringValue: String
    let intValue: Int?

    init(_ stringValue: String) {
        self.stringValue = stringValue
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

/// A dictionary key that isn't a string: "left", "right" and texts that start with "k".
struct SideKey: Hashable, Codable, CodingKeyRepresentable {
    let side: String

    init(side: String) {
        self.side = side
    }

    var codingKey: any CodingKey { AnyKey(side) }

    init?(codingKey: some CodingKey) {
        guard ["left", "right", "a", "id"].contains(codingKey.stringValue) else { return nil }
        side = codingKey.stringValue
    }
}
