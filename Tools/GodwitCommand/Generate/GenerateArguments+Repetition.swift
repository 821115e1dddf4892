import Godwit
import GodwitGenerator

extension GenerateArguments {
    /// The command line that generates the same again, for `GENERATED.md`.
    ///
    /// That file goes into version control. So it has neither credentials nor what is true of one run or one machine only: the
    /// header fields, the options of the connection, `--check`, `--dry-run` and `--force`.
    ///
    /// - Parameter layout: As asked for or found: the same command says it again in another place.
    func repetition(_ layout: Layout) -> String {
        var words = ["godwit", "generate"]
        let add: (String, String?) -> Void = { name, value in
            if let value { words += [name, value] }
        }
        add("--openapi", openAPI.map(Self.redacted))
        add("--graphql", graphQL.map(Self.redacted))
        words += documents.map(Self.redacted)
        for (name, type) in scalars.sorted(by: { $0.key < $1.key }) { add("--scalar", "\(name)=\(type)") }
        for (text, reference) in zip(samples, references) { add("--sample", Self.redacted(text, reference.target)) }
        add("--har", har)
        // A command copied from a browser contains cookies and tokens.
        for _ in curl { add("--curl", "curl …") }
        add("--name", name)
        add("--access", access?.rawValue)
        if !only.isEmpty { add("--only", only.joined(separator: ",")) }
        if makesScreens { words.append("--screens") }
        if guessesEnums { words.append("--guess-enums") }
        add("--base-url", baseURL)
        add("--into", folder)
        if graphQL == nil { words.append("--\(layout.rawValue)") }
        add("--godwit", godwit)
        return words.map(Self.quoted).joined(separator: " ")
    }

    /// A URL without its secrets. Other texts stay as they are.
    private static func redacted(_ text: String) -> String {
        (try? HTTPURL(text))?.debugDescription ?? text
    }

    private static func redacted(_ sample: String, _ target: String?) -> String {
        guard let target, SourceReader.isURL(target) else { return sample }
        return sample.replacing(target, with: redacted(target))
    }

    /// The word as a shell reads it back.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.isASCII && "0123456789-_./:,=@%+".unicodeScalars.contains(scalar)
        }
        if isPlain, !word.isEmpty { return word }
        // By bytes: a quote with a combining mark is one character, but not for a shell.
        let parts = word.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'" + parts.map { String(Substring($0)) }.joined(separator: "'\\''") + "'"
    }
}
