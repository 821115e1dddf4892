public struct UTType: Hashable, Sendable {
    public static let image = UTType()
}
