import BenchKit
import FoundationEssentials

/// Measures JSON coders side by side, one at a time.
@main
struct JSONBench {
    static let usage = """
        Usage: json-bench MODE DOCUMENT CODER SECONDS

        MODE      decode, encode (with sorted keys), encode-unsorted, parse (Godwit's JSONDocument, whatever CODER is), or
                  memory: by how much the resident set grows at most while the document is decoded for the first time;
                  SECONDS then doesn't count
        DOCUMENT  a file called twitter.json, citm_catalog.json, github_events.json, canada.json, 100k.json or 1k.json;
                  or huge-string, escaped-string, deep, keys-missing, keys-in-order, keys-reversed, keys-unknown,
                  keys-snake-case, dictionary or failures, made in memory
        CODER     foundation or godwit

        Prints one line of JSON, and then compares the result with Foundation's.
        """

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 4, let seconds = arguments.last.flatMap(Double.init), seconds > 0 else {
            Program.fail(usage, status: 2)
        }
        let (mode, name, coder) = (arguments[1], arguments[2], arguments[3])
        let document = BenchDocument.named(name)
        do {
            try bench(mode, document, coder, seconds).run(document.model)
        } catch {
            Program.fail("\(mode) \(name) by \(coder): \(error)")
        }
    }

    static func bench(_ mode: String, _ document: BenchDocument, _ coder: String, _ seconds: Double) -> Bench {
        let type: any BenchCoder.Type
        switch coder {
        case "foundation": type = FoundationCoder.self
        case "godwit": type = GodwitCoder.self
        default: Program.fail(usage, status: 2)
        }
        guard let mode = Bench.Mode(rawValue: mode) else { Program.fail(usage, status: 2) }
        let coder = type.init(sortsKeys: mode != .encodeUnsorted, convertsSnakeCase: document.convertsSnakeCase)
        return Bench(mode: mode, document: document, coder: coder, time: .seconds(seconds))
    }
}
