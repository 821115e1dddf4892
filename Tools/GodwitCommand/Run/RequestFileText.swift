import Godwit
import GodwitPatterns

/// The text of a request file, for messages that show a line.
struct RequestFileText: Sendable {
    /// The path as the command line names it.
    let name: String
    let scanner: TextScanner
    /// The offset of the first scalar of each line.
    private let lineStarts: [Int]

    init(name: String, text: String) {
        self.name = name
        let scanner = TextScanner(text.pieces(separatedBy: "\r\n").joined(separator: "\n"))
        lineStarts = [0] + scanner.scalars.indices.filter { scanner.scalars[$0] == "\n" }.map { $0 + 1 }
        self.scanner = scanner
    }

    /// The line and column of an offset, from 1.
    func place(of offset: Int) -> (line: Int, column: Int) {
        var (lower, upper) = (0, lineStarts.count)
        while upper - lower > 1 {
            let middle = (lower + upper) / 2
            if lineStarts[middle] <= offset { lower = middle } else { upper = middle }
        }
        return (lower + 1, offset - lineStarts[lower] + 1)
    }

    /// `name:line:column`.
    func location(of offset: Int) -> String {
        let (line, column) = place(of: offset)
        return "\(name):\(line):\(column)"
    }

    /// The line at an offset, and a mark below the column.
    func excerpt(at offset: Int) -> [String] {
        let (line, column) = place(of: offset)
        let start = lineStarts[line - 1]
        var end = start
        while end < scanner.scalars.count, scanner.scalars[end] != "\n", end - start < 160 { end += 1 }
        let text = scanner.text(start..<end).map { $0 == "\t" ? " " : String($0) }.joined()
        let number = String(line)
        let lines = ["\(number) | \(text)"]
        guard column <= 160 else { return lines }
        let margin = String(repeating: " ", count: number.count)
        return lines + ["\(margin) | \(String(repeating: " ", count: column - 1))^"]
    }
}
