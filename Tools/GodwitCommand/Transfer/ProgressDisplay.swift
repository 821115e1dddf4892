import Godwit

/// Draws the progress of several transfers on a terminal, one line for each.
actor ProgressDisplay {
    private let output: any OutputSink
    private var lines: [String?]
    /// The number of lines on the terminal.
    private var drawn = 0
    private var isDrawing = false
    private var isStale = false

    /// - Parameter count: The number of transfers.
    init(output: any OutputSink, count: Int) {
        self.output = output
        lines = Array(repeating: nil, count: count)
    }

    func show(_ progress: TransferProgress, of name: String, at index: Int) async {
        lines[index] = ProgressLine.text(name, progress)
        await draw()
    }

    /// Draws the current lines. A change during a slow write causes one more drawing.
    private func draw() async {
        isStale = true
        guard !isDrawing else { return }
        isDrawing = true
        while isStale {
            isStale = false
            let shown = lines.compactMap(\.self)
            let up = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
            drawn = shown.count
            let text = up + shown.map { "\r\u{1B}[K\($0)\n" }.joined()
            // A closed terminal must not end the transfer.
            try? await output.write(Data(text.utf8))
        }
        isDrawing = false
    }
}

/// A line of at most 79 columns for a transfer: name, bar, bytes, rate and remaining time.
enum ProgressLine {
    private static let nameWidth = 22
    private static let barWidth = 16

    static func text(_ name: String, _ progress: TransferProgress) -> String {
        let rate = progress.bytesPerSecond.map { "\(size(Int64(exactly: $0.rounded()) ?? 0))/s" } ?? ""
        let left = progress.timeRemaining.map { progress.fraction == 1 ? "" : time($0) } ?? ""
        return [
            fitted(TerminalText.escaped(name), to: nameWidth), bar(progress.fraction),
            padded(size(progress.completed), to: 8), padded(rate, to: 10), padded(left, to: 8),
        ].joined(separator: " ")
    }

    /// A number of bytes in a suitable unit: `1.5 MiB`.
    static func size(_ bytes: Int64) -> String {
        guard bytes >= 1024 else { return "\(bytes) B" }
        var (value, unit) = (Double(bytes) / 1024, 0)
        while value >= 1000, unit < 4 {
            value /= 1024
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        let number = tenths >= 1000 ? "\(Int(value.rounded()))" : "\(tenths / 10).\(tenths % 10)"
        return "\(number) \(["KiB", "MiB", "GiB", "TiB", "PiB"][unit])"
    }

    /// `12s`, `3m05s`, `2h07m`, `9d`.
    static func time(_ duration: Duration) -> String {
        let seconds = Int((duration / .seconds(1)).rounded(.up))
        switch seconds {
        case ..<60: return "\(seconds)s"
        case ..<3600: return "\(seconds / 60)m\(twoDigits(seconds % 60))s"
        case ..<86_400: return "\(seconds / 3600)h\(twoDigits(seconds / 60 % 60))m"
        default: return seconds < 86_400 * 1000 ? "\(seconds / 86_400)d" : ""
        }
    }

    private static func bar(_ fraction: Double?) -> String {
        guard let fraction else { return padded("", to: barWidth + 7) }
        let full = Int(fraction * Double(barWidth))
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: barWidth - full)
        return "[\(bar)] " + padded("\(Int(fraction * 100))%", to: 4)
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func fitted(_ text: String, to width: Int) -> String {
        guard text.count > width else { return text + String(repeating: " ", count: width - text.count) }
        return text.prefix(width - 1) + "…"
    }
}
