import GodwitSupport

/// How alike two keys are, to find the one that was meant.
enum KeySimilarity {
    private static let maximumLength = 64

    /// The number of characters to add, remove, change or swap, without case, `_` and `-`.
    ///
    /// - Returns: `nil` if the keys are not alike: more than a third differs.
    static func distance(_ key: String, _ other: String) -> Int? {
        let (left, right) = (plain(key), plain(other))
        let shorter = min(left.count, right.count)
        // The longest near miss differs in a third, so this also bounds the work.
        guard shorter > 0, max(left.count, right.count) <= maximumLength else { return nil }
        let allowed = shorter < 3 ? 0 : max(1, shorter / 3)
        guard abs(left.count - right.count) <= allowed else { return nil }
        let distance = EditDistance.between(left, right)
        return distance <= allowed ? distance : nil
    }

    private static func plain(_ key: String) -> [UInt8] {
        key.utf8.compactMap { byte in
            switch byte {
            case UInt8(ascii: "_"), UInt8(ascii: "-"): nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            default: byte
            }
        }
    }
}
