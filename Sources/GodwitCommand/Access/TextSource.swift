import Godwit

/// The source of text on the command line: `TEXT`, `@FILE`, or `-` for standard input.
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

/// A small file that the command line names, read into memory.
enum SmallFile {
    static func read(_ path: String) throws(CommandFailure) -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw .file("cannot read \(path)")
        }
    }

    static func text(_ path: String) throws(CommandFailure) -> String {
        guard let text = String(validating: try read(path), as: UTF8.self) else {
            throw .file("\(path) is not UTF-8 text")
        }
        return text
    }
}
