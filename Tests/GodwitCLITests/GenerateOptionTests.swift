import Godwit
import GodwitCommand
import TestSupport
import Testing

@Suite("G2 godwit generate: the command line", .timeLimit(.minutes(15)))
struct GenerateOptionTests {
    @Test(
        "G2 missing and contradictory options are named, and nothing is read",
        arguments: [
            ([], "nothing to generate from: pass --openapi, --sample, --har, --curl or --graphql"),
            (["a.yaml"], "unexpected argument \"a.yaml\"; name the source with --openapi"),
            (["--openapi", "a", "--sample", "b"], "--openapi and --sample can't be combined"),
            (["--har", "a", "--curl", "curl b"], "--har and --curl can't be combined"),
            (["--openapi", "a", "--openapi", "b"], "--openapi is given twice"),
            (["--opnapi", "a"], "unknown option --opnapi (did you mean --openapi?)"),
            (["--openapi"], "--openapi needs a value"),
            (["--openapi", "a", "--guess-enums"], "--guess-enums is for samples"),
            (["--openapi", "a", "--access", "publik"], "--access needs public or internal (did you mean public?)"),
            (["--openapi", "a", "--only", " , "], "--only needs tags or operations"),
            (["--openapi", "a", "--package", "--folder"], "--package and --folder can't be combined"),
            (["--openapi", "a", "--check", "--dry-run"], "--dry-run can't be combined with --check or --breaking"),
            (["--openapi", "a", "--folder", "--godwit", "b"], "--godwit is for a package"),
            (["--openapi", "a", "--name", "1/2"], "--name needs a name with letters"),
            (["--openapi", "a", "--into", ""], "--into needs a folder"),
            (["--openapi", "a", "--base-url", "api"], "--base-url needs a URL such as"),
            (["--sample", "GET /a =>"], "a status or a file must follow `=>`"),
            (["--sample", "POST https://a.example/b"], "only GET is called"),
            (["--sample", "-", "--sample", "-"], "standard input (-) can only be read once"),
            (["--openapi", "http://a.example/b", "--cert", "c"], "--pin and --cert need an https URL"),
        ] as [([String], String)])
    func usage(arguments: [String], message: String) async {
        let run = await Run.godwit(["generate"] + arguments)
        #expect(run.code == .usage)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.hasSuffix("; see: godwit generate --help\n"), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test("G2 --help lists the options, the grammar of samples and the exit codes")
    func help() async {
        for run in [await Run.godwit("generate", "--help"), await Run.godwit("help", "generate")] {
            #expect(run.code == .success)
            for words in [
                "--openapi FILE|URL", "--sample SPEC", "--har FILE", "--curl 'curl …'", "--into FOLDER", "--only LIST",
                "--check", "--dry-run", "--force", "--godwit PATH", "'GET /a => 1.json,2.json'", "\n    1  ",
                "\n    8  ",
                "\n    9  ",
            ] {
                #expect(run.output.contains(words), "\(words)")
            }
        }
        #expect(await Run.godwit("--help").output.contains("\n  generate "))
        #expect(await Run.godwit("generat").errors.contains("(did you mean generate?)"))
    }

    @Test("G2 the numbers of the exit codes are those of the documentation")
    func exitCodes() {
        let codes: [ExitCode] = [.success, .outdated, .usage, .file, .document, .contradiction]
        #expect(codes.map(\.rawValue) == [0, 1, 2, 7, 8, 9])
    }
}
