/// A part of a coding path that is known only at run time.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    static let superclass = PathKey("super")

    init(_ key: String) {
        stringValue = key
        intValue = nil
    }

    /// The position of an element in an array, as Foundation names it.
    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
