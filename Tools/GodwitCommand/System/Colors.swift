import Godwit

/// When colors are used.
enum ColorChoice: String, Sendable, CaseIterable {
    /// On a terminal, unless `NO_COLOR` is set.
    case auto
    case always, never

    /// The colors for an output.
    func colors(for output: any OutputSink, _ environment: EnvironmentVariables) -> Colors {
        switch self {
        case .always: return .ansi
        case .never: return .none
        case .auto:
            let isRefused = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
            return output.isTerminal && !isRefused ? .ansi : .none
        }
    }
}

/// How parts of the output are colored: with the terminal's own colors, which fit its background.
enum Colors: Sendable {
    case none, ansi

    enum Ink: String {
        case name = "36"
        case string = "32"
        case number = "33"
        case word = "35"
        case success = "1;32"
        case redirection = "1;33"
        case failure = "1;31"
    }

    /// A text of one line in a color. What a terminal would act on is escaped.
    func paint(_ text: String, _ ink: Ink) -> String {
        self == .none || text.isEmpty ? text : "\u{1B}[\(ink.rawValue)m\(TerminalText.escaped(text))\u{1B}[0m"
    }

    func field(_ name: String, _ value: String) -> String {
        self == .none ? "\(name): \(value)" : "\(paint(name, .name)): \(TerminalText.escaped(value))"
    }

    func status(_ line: String, _ code: Int) -> String {
        switch code {
        case ..<300: paint(line, .success)
        case ..<400: paint(line, .redirection)
        default: paint(line, .failure)
        }
    }

    /// A number, a string, `true`, `false` or `null` of a JSON text.
    func token(_ token: String) -> String {
        switch token.first {
        case "\"": paint(token, .string)
        case "t", "f", "n": paint(token, .word)
        default: paint(token, .number)
        }
    }
}
