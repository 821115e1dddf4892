/// The keys of one object on the path, for the error if the wanted one is missing. Bounded, however many there are.
struct SeenKeys: Sendable {
    private static let shownKeys = 4
    private static let shownLength = 40
    private static let comparedKeys = 256

    /// The first keys.
    private var first: [String] = []
    private var count = 0
    private var nearest: (key: String, distance: Int)?

    /// - Parameter wanted: The key to compare with; `nil` if any would do.
    mutating func add(_ key: KeyText, wanted: String?) {
        count &+= 1
        guard count <= Self.comparedKeys else { return }
        let key = String(decoding: key.bytes, as: UTF8.self)
        if first.count < Self.shownKeys { first.append(key) }
        guard let wanted, let distance = KeySimilarity.distance(key, wanted) else { return }
        if distance < nearest?.distance ?? .max { nearest = (key, distance) }
    }

    /// What is there instead: the nearest key, or the first ones.
    var hint: String {
        if let nearest { return "there is \(Self.quoted(nearest.key))" }
        return count == 0 ? "the object is empty" : "there \(count == 1 ? "is" : "are") \(list)"
    }

    /// The names of the first keys, and how many follow.
    var list: String {
        let names = first.map(Self.quoted).joined(separator: ", ")
        return count > first.count ? "\(names) and \(count - first.count) more" : names
    }

    var isEmpty: Bool { count == 0 }

    private static func quoted(_ key: String) -> String {
        let text = key.count > shownLength ? "\(key.prefix(shownLength))…" : key
        return "`\(String(text.map { $0.isNewline || $0.isASCII && !$0.isPrintable ? "\u{FFFD}" : $0 }))`"
    }
}

extension Character {
    fileprivate var isPrintable: Bool { asciiValue.map { $0 >= 0x20 && $0 < 0x7F } ?? true }
}
