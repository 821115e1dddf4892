import Glibc
import Godwit
import GodwitBackground
import GodwitSockets
import GodwitGenerator
import GodwitInspector
import GodwitSupport
import GodwitTesting

// What is read from files and from other processes.
extension FuzzTarget {
    static var files: [FuzzTarget] {
        [har, cassettes, cookieFiles, tickets, queueLines, alternatives, traffic, openAPI, yaml, curl, graphQL]
    }

    /// A file in memory, which the target's parser opens by its path.
    private static func file(_ data: Data) throws -> URL {
        let url = URL(filePath: "\(folder)/input")
        try PrivateFile(url).replace(with: data)
        return url
    }

    /// Removed at the end of the process.
    static let folder: String = {
        let path = "\(FileManager.default.temporaryDirectory.path)/godwit-fuzz.\(getpid())"
        mkdir(path, 0o700)
        atexit { try? FileManager.default.removeItem(atPath: FuzzTarget.folder) }
        return path
    }()

    private static var har: FuzzTarget {
        FuzzTarget.bytes(
            "har", words: ["\"content\":", "\"encoding\":\"base64\"", "\"status\":", "\"headers\":[", "\"postData\":"]
        ) { data in
            let cassette = try Cassette(har: file(data))
            for exchange in cassette.exchanges { _ = exchange.request.curlCommand }
        }
    }

    private static var cassettes: FuzzTarget {
        FuzzTarget.bytes("cassettes", words: ["\"request\":", "\"status\":", "\"body\":"]) { data in
            _ = try Cassette(at: file(data)).exchanges
        }
    }

    private static var cookieFiles: FuzzTarget {
        FuzzTarget.bytes("cookie-files", words: ["\"cookies\":", "\"expires\":", "1e400"]) { data in
            let jar = try CookieJar(file: CookieFile(file(data)))
            _ = jar.cookies(for: try HTTPURL("http://example.com/"))
        }
    }

    private static var tickets: FuzzTarget {
        FuzzTarget.bytes(
            "tickets", words: ["\"offset\":", "\"url\":", "\"path\":\"../", "\"etag\":", "\"parts\":", "\"expires\":"]
        ) { data in
            let decoder = JSONDecoder()
            if let ticket = try? decoder.decode(DownloadTicket.self, from: data) { _ = "\(ticket)" }
            if let ticket = try? decoder.decode(UploadTicket.self, from: data) { _ = "\(ticket)" }
            if let token = try? decoder.decode(AccessToken.self, from: data) { _ = "\(token)" }
            _ = try? FileTokenStore(at: try file(data), diagnostics: Diagnostics()).load()
        }
    }

    private static var queueLines: FuzzTarget {
        FuzzTarget.bytes(
            "queue", words: ["\"version\":3", "\"command\":\"add\"", "\"session\":", "\"spec\":", "\"timeLimit\":"]
        ) { data in
            // The process refuses deep nesting before it decodes.
            for line in data.split(separator: 0x0A) where line.count(where: { $0 == 0x5B || $0 == 0x7B }) < 100 {
                if let command = try? JSONDecoder().decode(TransferCommand.self, from: line) { _ = "\(command)" }
                _ = try? JSONDecoder().decode(TransferReply.self, from: line)
            }
        }
    }

    private static var alternatives: FuzzTarget {
        FuzzTarget.bytes("alternatives", words: ["h3", " 443 ", "\"", ".a.example \"20271231 23:59:59\"\n"]) { data in
            if let store = try? HSTSStore(file: try file(data)) {
                store.add(.init("a.example"))
                try store.save()
                if try store.upgraded(HTTPURL("http://a.example/")) == nil { fail("alternatives: a host was lost") }
            }
        }
    }

    private static var traffic: FuzzTarget {
        FuzzTarget.bytes("traffic", words: ["\"call\":1", "\"time\":", "\"started\":", "\"chunk\":"]) { data in
            let store = CallStore(callLimit: 10, byteLimit: 100_000)
            store.add(data, from: "p", dropped: 0)
            _ = store.current(after: 0).json
            _ = store.details(of: 1)
        }
    }

    private static var openAPI: FuzzTarget {
        var target = FuzzTarget.bytes(
            "openapi",
            words: [
                "\"$ref\":\"#/components/schemas/A\"", "\"allOf\":[", "\"type\":", "\"enum\":[", "\"parameters\":[",
            ]
        ) { data in
            _ = try? Generator().generate(from: .openAPI(SourceFile(name: "api.json", data: data)))
        }
        target.seconds = 10
        target.longest = 4 << 10
        return target
    }

    private static var yaml: FuzzTarget {
        var target = FuzzTarget.bytes("yaml", words: ["&a ", "*a", "<<: *a", "!!int", "- ", ": ", "|\n", "? "]) {
            data in
            _ = try? Generator().generate(from: .openAPI(SourceFile(name: "api.yaml", data: data)))
        }
        target.seconds = 10
        target.longest = 4 << 10
        return target
    }

    private static var curl: FuzzTarget {
        FuzzTarget.text(
            "curl", words: ["curl ", "-d ", "-H 'A: b' ", "-F a=@b ", "$'\\u0041'", "\\\n", "--json ", "-u a:b "]
        ) { text in
            if let request = try? HTTPRequest(curl: text) {
                let command = request.curlCommand(secrets: .shown)
                let isPiped = command.contains("--data-binary @-")
                if !isPiped, (try? HTTPRequest(curl: command)) == nil { fail("curl: not read back: \(command)") }
            }
            if let words = try? ShellWords.split(text) {
                let line = words.map(ShellWords.quoted).joined(separator: " ")
                if try ShellWords.split(line) != words { fail("curl: words are not read back: \(line)") }
            }
            _ = try? Generator().generate(from: .curl([text]))
        }
    }

    private static var graphQL: FuzzTarget {
        FuzzTarget.text(
            "graphql",
            words: [
                "type A { a: Int }", "query Q($a: Int!) {", "... on A", "\"\"\"", "@include(if: $a)",
                "fragment F on A {",
            ]
        ) { text in
            let (schema, documents) = (
                SourceFile(name: "s.graphql", data: Data(text.utf8)),
                SourceFile(name: "q.graphql", data: Data(text.utf8))
            )
            let fixed = SourceFile(
                name: "s.graphql", data: Data("type Query { a(b: Int, c: [String!]): Query d: String }".utf8))
            _ = try? GraphQLGenerator().generate(schema: schema, documents: [])
            _ = try? GraphQLGenerator().generate(schema: fixed, documents: [documents])
        }
    }
}
