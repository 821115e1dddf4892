import Godwit

/// Draws the progress of several transfers on a terminal, each in a line of its own.
actor ProgressDisplay {
    private let output: any OutputSink
    private var lines: [String?]
    /// How many lines stand on the terminal.
    private var drawn = 0
    private var isDrawing = false
    private var isStale = false

    /// - Parameter count: How many transfers there will be.
    init(output: any OutputSink, count: Int) {
        self.output = output
        lines = Array(repeating: nil, count: count)
    }

    func show(_ progress: TransferProgress, of name: String, at index: Int) async {
        lines[index] = ProgressLine.text(name, progress)
        await draw()
    }

    /// Draws what is there; whoever comes while it is drawn has it drawn once more.
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
            // That nobody looks at it is no failure.
            try? await output.write(Data(text.utf8))
        }
        isDrawing = false
    }
}
