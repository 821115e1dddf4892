/// Comparisons in constant time.
public enum ConstantTime {
    /// Whether two texts have the same bytes. The duration depends only on their lengths.
    public static func areEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
