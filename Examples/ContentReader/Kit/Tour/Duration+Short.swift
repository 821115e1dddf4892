nonisolated extension Duration {
    /// The duration with three digits and a unit: `3.14 ms`, `31.4 ms`, `314 ms`, `3.14 s`.
    public var short: String {
        let milliseconds = self / .milliseconds(1)
        return milliseconds < 999.5
            ? "\(Self.digits(milliseconds)) ms" : "\(Self.digits(milliseconds / 1000)) s"
    }

    private static func digits(_ value: Double) -> String {
        let places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        let scale = [1, 10, 100][places]
        let scaled = Int((value * Double(scale)).rounded())
        guard places > 0 else { return "\(scaled)" }
        let fraction = "\(scaled % scale)"
        return "\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
    }
}
