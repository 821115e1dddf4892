extension SwiftName {
    /// Whether a segment of a path says the version, or that this is an API: it names nothing.
    static func isBaseSegment(_ segment: some StringProtocol) -> Bool {
        let text = segment.lowercased()
        if ["api", "apis", "rest"].contains(text) { return true }
        guard text.first == "v", text.count > 1, let second = text.dropFirst().first, second.isNumber else {
            return false
        }
        return text.dropFirst().allSatisfy { $0.isNumber || $0 == "." || "beta".contains($0) || "alpha".contains($0) }
    }
}
