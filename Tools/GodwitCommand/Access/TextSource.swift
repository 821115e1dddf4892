import Godwit
import GodwitSupport

/// The source of text on the command line: `TEXT`, `@FILE`, or `-` for standard input.
enum TextSource: Sendable, Hashable {
    case text(String)
    case file(String)
    case standardInput
    /// `@FILE` or standard input without its line breaks, as curl's `-d` reads it.
    indirect case withoutLineBreaks(TextSource)
    /// `name=text`, to be percent-encoded; the name may be empty.
    case encoded(name: String, String)
    /// `name@FILE`, to be percent-encoded.
    case encodedFile(name: String, path: String)

    init(_ argument: String) {
        self =
            switch argument {
            case "-", "@-": .standardInput
            case let path where path.hasPrefix("@"): .file(String(path.dropFirst()))
            default: .text(argument)
            }
    }

    /// The value of `--data`.
    init(ofData argument: String) {
        let source = TextSource(argument)
        if case .text = source { self = source } else { self = .withoutLineBreaks(source) }
    }

    /// The value of `--data-urlencode`, in curl's grammar: `text`, `=text`, `name=text`, `@file`, `name@file`.
    init(toEncode argument: String) {
        let name = argument.prefix { $0 != "=" && $0 != "@" }
        let rest = argument.dropFirst(name.count)
        switch rest.first {
        case "="?: self = .encoded(name: String(name), String(rest.dropFirst()))
        case "@"?: self = .encodedFile(name: String(name), path: String(rest.dropFirst()))
        default: self = .encoded(name: "", argument)
        }
    }
}

extension Data {
    /// Without CR, LF and NUL.
    var withoutLineBreaks: Data { Data(filter { $0 != 0x0D && $0 != 0x0A && $0 != 0 }) }
}

/// An input without its line breaks.
struct UnbrokenInput: InputSource {
    let base: any InputSource

    func read() async throws -> Data? {
        while let chunk = try await base.read() {
            let rest = chunk.withoutLineBreaks
            if !rest.isEmpty { return rest }
        }
        return nil
    }
}

/// A small file that the command line names, read into memory.
enum SmallFile {
    static func read(_ path: String) throws(CommandFailure) -> Data {
        if FileKind(at: path) == .special { return try readSpecial(path) }
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw .file("cannot read \(path)")
        }
    }

    /// Reads a pipe or device to its end. The wait for a writer ends if the command is interrupted.
    private static func readSpecial(_ path: String) throws(CommandFailure) -> Data {
        do throws(StreamDescriptor.Fault) {
            return Data(try StreamDescriptor.contents(of: path) { Interruption.isOver })
        } catch {
            throw error == .cancelled ? .output(.cancelled) : .file("cannot read \(path)")
        }
    }

    static func text(_ path: String) throws(CommandFailure) -> String {
        try text(try read(path), path)
    }

    /// The lines of a file that the command line names in the place of a value, without blank ones.
    static func lines(_ path: String) throws(UsageError) -> [String] {
        try argument(path).split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }.map(String.init)
    }

    /// Reads the text of a file that the command line names in the place of a value.
    static func argument(_ path: String) throws(UsageError) -> String {
        do throws(CommandFailure) {
            return try text(path).withoutByteOrderMark
        } catch {
            throw UsageError(error.message() ?? "cannot read the file")
        }
    }

    /// The bytes of a file of any kind. The wait for a pipe holds no thread, and ends if the task is canceled.
    static func contents(of path: String) async throws(CommandFailure) -> Data {
        guard FileKind(at: path) == .special else { return try read(path) }
        let input = try StreamedInput(path)
        var all = Data()
        while let chunk = try await input.next() { all += chunk }
        return all
    }

    /// The same as text.
    static func textContents(of path: String) async throws(CommandFailure) -> String {
        try text(try await contents(of: path), path)
    }

    /// Reads a file that holds or steers secrets: throws if other users could have written it. A byte order mark, as
    /// editors of Windows write it, is skipped.
    static func unforgeableText(_ path: String) throws(CommandFailure) -> String {
        guard let data = try SecretFile(path).readUnforgeable() else { throw .file("cannot read \(path)") }
        return try text(data, path).withoutByteOrderMark
    }

    private static func text(_ data: Data, _ path: String) throws(CommandFailure) -> String {
        guard let text = String(validating: data, as: UTF8.self) else { throw .file("\(path) is not UTF-8 text") }
        return text
    }
}

extension String {
    /// Without the mark that some editors write at the start of a file.
    var withoutByteOrderMark: String { unicodeScalars.first == "\u{FEFF}" ? String(unicodeScalars.dropFirst()) : self }

    /// All but unreserved characters percent-encoded (RFC 3986 section 2.3).
    var percentEncodedForForm: String {
        var text = ""
        for byte in utf8 {
            let character = Character(Unicode.Scalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
                text.append(character)
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}
