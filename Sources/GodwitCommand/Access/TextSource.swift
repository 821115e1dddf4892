import Godwit

/// Where content given on the command line comes from: `TEXT`, `@FILE`, or `-` for standard input.
enum TextSource: Sendable, Hashable {
    case text(String)
    case file(String)
    case standardInput

    init(_ argument: String) {
        self =
            switch argument {
            case "-", "@-": .standardInput
            case let path where path.hasPrefix("@"): .file(String(path.dropFirst()))
            default: .text(argument)
            }
    }
}

/// A small file of the command line, read as a whole.
enum SmallFile {
    static func read(_ path: String) throws(CommandFailure) -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw .file("\(path) cannot be read")
        }
    }

    /// As UTF-8; other bytes are refused.
    static func text(_ path: String) throws(CommandFailure) -> String {
        guard let text = String(validating: try read(path), as: UTF8.self) else {
            throw .file("\(path) is not text in UTF-8")
        }
        return text
    }
}
