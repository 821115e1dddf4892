import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 netrc", .timeLimit(.minutes(15)))
struct NetrcTests {
    /// A file, and the logins for `h`, `bank.example` and 127.0.0.1: `user:password`, or `-`.
    private typealias Sample = (file: String, logins: [String])

    /// Each is what curl 8 does, but for a host that has only a name: curl then asks for a password.
    private static let samples: [Sample] = [
        ("", ["-", "-", "-"]),
        ("machine h login a password b", ["a:b", "-", "-"]),
        ("machine h\nlogin a\npassword b\n", ["a:b", "-", "-"]),
        ("machine h\r\n\tlogin a\r\n\tpassword b\r\n", ["a:b", "-", "-"]),
        ("machine h password b login a", ["a:b", "-", "-"]),
        ("MACHINE H LOGIN a PASSWORD b", ["a:b", "-", "-"]),
        ("machine h login a password b\nmachine h login c password d", ["a:b", "-", "-"]),
        ("machine bank.example login bo password BANK\nmachine h login a password b", ["a:b", "bo:BANK", "-"]),
        // Entries after the default are of their hosts only.
        ("default login ann password pw\nmachine bank.example login bo password BANK", ["ann:pw", "ann:pw", "ann:pw"]),
        (
            "machine bank.example login bo password BANK\ndefault login ann password pw",
            ["ann:pw", "bo:BANK", "ann:pw"]
        ),
        ("default\nmachine bank.example login bo password BANK", ["-", "bo:BANK", "-"]),
        ("default login ann password pw default login x password y", ["ann:pw", "ann:pw", "ann:pw"]),
        ("machine 127.0.0.1 login l password o", ["-", "-", "l:o"]),
        // The words of a macro are no entries.
        (
            "macdef init\nmachine 127.0.0.1 login evil password x\ndefault\n\nmachine h login a password b",
            ["a:b", "-", "-"]
        ),
        ("machine h login a password b\nmacdef m\ndefault login evil password x\n", ["a:b", "-", "-"]),
        ("machine h login a password b macdef m\npassword evil\nlogin evil\n\n", ["a:b", "-", "-"]),
        ("macdef m\r\nmachine h login evil password x\r\n\r\nmachine h login a password b", ["a:b", "-", "-"]),
        ("macdef m\n\nmachine h login a password b", ["a:b", "-", "-"]),
        ("macdef m\n \nmachine h login evil password x\n\nmachine bank.example login b password c", ["-", "b:c", "-"]),
        ("machine h login a\nmacdef m\nx\n\npassword stray", ["a:", "-", "-"]),
        // Quoted words.
        ("machine h login a password \"super secret\"", ["a:super secret", "-", "-"]),
        (#"machine h login a password "q\"b\\s\nn\rr\tt\xx""#, ["a:q\"b\\s\nn\rr\ttxx", "-", "-"]),
        ("\"machine\" \"h\" \"login\" \"a\" \"password\" \"b\"", ["a:b", "-", "-"]),
        ("machine h login \"\" password b", [":b", "-", "-"]),
        ("machine h login a password \"#b\"", ["a:#b", "-", "-"]),
        ("machine h login a password b\"c", ["a:b\"c", "-", "-"]),
        ("machine h login \"a\"password \"b\"", ["a:b", "-", "-"]),
        // Comments.
        ("# machine h login evil password x\nmachine h login a password b", ["a:b", "-", "-"]),
        ("  # c\nmachine h # password evil\n login a password b # more", ["a:b", "-", "-"]),
        ("machine h login a#b password c#d", ["a#b:c#d", "-", "-"]),
        ("machine h login a password #evil\nb", ["a:b", "-", "-"]),
        // What belongs to no entry, or to nothing that we use.
        ("login evil password x\nmachine h login a password b", ["a:b", "-", "-"]),
        ("machine h account acct login a password b", ["a:b", "-", "-"]),
        ("machine h account login login a password b", ["a:b", "-", "-"]),
        ("machine h unknown login a password b", ["a:b", "-", "-"]),
        ("machine", ["-", "-", "-"]),
        ("machine h", ["-", "-", "-"]),
        ("machine h login", ["-", "-", "-"]),
        ("machine login login a password b", ["-", "-", "-"]),
        ("machine h. login a password b", ["a:b", "-", "-"]),
        ("machine bank.exampl login a password b\nmachine ank.example login a password b", ["-", "-", "-"]),
        ("machine h login a\u{301} password \u{301}b", ["a\u{301}:\u{301}b", "-", "-"]),
    ]

    @Test(
        "G1 a login is sent to the host of its entry, and to others only if it is the default's",
        arguments: samples.indices)
    func table(_ index: Int) async throws {
        let sample = Self.samples[index]
        let folder = TemporaryFolder()
        let path = try folder.write(sample.file, to: "netrc")
        let hosts = ["http://h/", "https://bank.example/", "http://127.0.0.1:8080/"]
        for (host, login) in zip(hosts, sample.logins) {
            let shown = await Run.godwit(
                host, "--netrc-file", path, "--offline", "--show-secrets", environment: ["HOME": folder.url.path])
            let field = login == "-" ? nil : "Authorization: Basic \(Data(login.utf8).base64EncodedString())\r\n"
            if let field {
                #expect(shown.output.contains(field), "\(sample.file)\n\(host): \(shown.output)\(shown.errors)")
            } else {
                #expect(!shown.output.contains("Authorization"), "\(sample.file)\n\(host): \(shown.output)")
                #expect(shown.output.hasPrefix("GET /"), "\(shown.errors)")
            }
        }
    }

    @Test("G1 a quote that isn't closed on its line is an error that names the line, and no value is shown")
    func unclosed() async throws {
        let folder = TemporaryFolder()
        for (text, line) in [
            ("machine h login a\npassword \"s3cret\nlogin b\"", 2), ("machine h login \"s3cret\\\"", 1),
        ] {
            let path = try folder.write(text, to: "netrc")
            let run = await Run.godwit("http://h/", "--netrc-file", path, "--offline")
            #expect(run.code == .file && run.errors.contains("line \(line): a quote isn't closed"), "\(run.errors)")
            #expect(!run.errors.contains("s3cret"))
        }
    }

    @Test("S7 G1 files that hold or steer secrets are refused if others could have written them")
    func writable() async throws {
        let folder = TemporaryFolder()
        let home = folder.url.path
        let server = try await MockServer { _ in .text("ok") }
        let settings = folder.url.appending(path: ".config/godwit")
        try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
        let files = [
            ("netrc", "machine 127.0.0.1 login a password b", ["--netrc-file", "FILE"]),
            ("token", "t0ken", ["--bearer", "@FILE"]), ("jar", "# Netscape HTTP Cookie File\n", ["-b", "FILE"]),
            (".config/godwit/config", "-H 'X-A: b'\n", []),
        ]
        for (name, text, options) in files {
            let path = try folder.write(text, to: name)
            let line = ["\(server.url)"] + options.map { $0.replacing("FILE", with: path) }
            for (mode, code) in [(0o644, ExitCode.success), (0o664, .file), (0o646, .file), (0o600, .success)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
                let run = await Run.godwit(line, environment: ["HOME": home])
                #expect(run.code == code, "\(name) \(String(mode, radix: 8)): \(run.errors)")
            }
            let place = URL(filePath: path).deletingLastPathComponent().path
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: place)
            let run = await Run.godwit(line, environment: ["HOME": home])
            #expect(run.code == .file && run.errors.contains("can replace"), "\(name): \(run.errors)")
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place)
            try FileManager.default.removeItem(atPath: path)
        }
        await server.stop()
    }
}
