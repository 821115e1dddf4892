/// Formats results in aligned columns, with color on a terminal.
nonisolated public struct TourText: Sendable {
    /// Whether to use color.
    public enum Style: Sendable {
        case plain, colored
    }

    private let style: Style
    private static let (stepWidth, detailWidth, timeWidth) = (14, 70, 9)

    public init(_ style: Style) {
        self.style = style
    }

    public func line(_ outcome: Tour.Outcome) -> String {
        let mark = outcome.isAsExpected ? painted("✓", .green) : painted("✗", .red)
        let step = outcome.step.padded(to: Self.stepWidth)
        let time = outcome.duration.short
        let gap = String(repeating: " ", count: max(0, Self.timeWidth - time.count))
        return "  \(mark) \(step) \(outcome.detail.padded(to: Self.detailWidth)) \(gap)\(painted(time, .faint))"
    }

    public func summary(_ outcomes: [Tour.Outcome]) -> String {
        let total = outcomes.map(\.duration).reduce(.zero, +).short
        let failed = outcomes.filter { !$0.isAsExpected }.count
        guard failed > 0 else { return painted("All \(outcomes.count) steps as expected", .green) + ", in \(total)." }
        return painted("\(failed) of \(outcomes.count) steps not as expected.", .red)
    }

    private enum Paint: String {
        case red = "31", green = "32", faint = "2"
    }

    private func painted(_ text: String, _ paint: Paint) -> String {
        style == .plain ? text : "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m"
    }
}

nonisolated extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
