/// Compares entity tags (RFC 9110 section 8.8.3.2).
enum EntityTag {
    /// Whether both are the same and neither is weak.
    static func matchesStrongly(_ left: String, _ right: String) -> Bool {
        left == right && !isWeak(left)
    }

    /// Whether both are the same, weak or not.
    static func matchesWeakly(_ left: String, _ right: String) -> Bool {
        opaque(left) == opaque(right)
    }

    static func isWeak(_ tag: String) -> Bool {
        tag.hasPrefix("W/")
    }

    private static func opaque(_ tag: String) -> Substring {
        isWeak(tag) ? tag.dropFirst(2) : tag[...]
    }
}
