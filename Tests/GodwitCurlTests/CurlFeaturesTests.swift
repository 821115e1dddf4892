import Godwit
@testable import GodwitCurl
@testable import GodwitSockets
import GodwitTesting
import TestSupport
import Testing

@Suite("libcurl, old and new", .timeLimit(.minutes(5)))
struct CurlFeaturesTests {
    private static func features(_ number: UInt32, _ version: String = "7.x", without: Set<String> = []) -> CurlFeatures
    {
        CurlFeatures(number: number, version: version) { name, _ in !without.contains(name) }
    }

    @Test(
        "T1 features depend on libcurl's version",
        arguments: [
            (0x074c00, [false, false, false, false]), (0x074d00, [false, false, false, false]),
            (0x075000, [false, true, false, false]), (0x075400, [true, true, false, false]),
            (0x075500, [true, true, true, false]), (0x075801, [true, true, true, true]),
            (0x081700, [true, true, true, true]),
        ] as [(UInt32, [Bool])])
    func byVersion(number: UInt32, expected: [Bool]) {
        let features = Self.features(number)
        #expect(
            [features.hostAuthorities, features.prerequest, features.protocolNames, features.quickExit] == expected)
        #expect(features.fault == nil)
    }

    @Test("T1 a feature needs its option, whatever the version")
    func leftOut() {
        #expect(!Self.features(0x081700, without: ["CURLOPT_PREREQDATA"]).prerequest)
        #expect(!Self.features(0x081700, without: ["CURLOPT_CAINFO_BLOB"]).hostAuthorities)
    }

    @Test("T1 a libcurl before 7.76, or without a required option, makes no transport and names the reason")
    func unusable() {
        let old = #expect(throws: NetworkError.self) {
            try CurlTransport { $0.features = Self.features(0x074a00, "7.74.0") }
        }
        #expect(old?.kind == .unsupported(feature: "HTTP (7.76 or later is needed)", on: "libcurl 7.74.0"))
        let poor = #expect(throws: NetworkError.self) {
            try CurlTransport { $0.features = Self.features(0x075801, "7.88.1", without: ["CURLOPT_CURLU"]) }
        }
        #expect(poor?.kind == .unsupported(feature: "CURLOPT_CURLU", on: "libcurl 7.88.1"))
    }

    @Test("T1 a setting that this libcurl would ignore silently makes no transport")
    func settings() {
        let poor = Self.features(0x075801, "7.88.1", without: ["CURLOPT_UNIX_SOCKET_PATH", "CURLOPT_PROXY"])
        let changes: [(feature: String, change: (inout CurlConfiguration) -> Void)] = [
            ("CURLOPT_UNIX_SOCKET_PATH", { $0.unixSocketPath = "/tmp/a" }),
            ("CURLOPT_PROXY", { $0.proxy = .url("http://127.0.0.1:1", except: []) }),
        ]
        for (feature, change) in changes {
            let error = #expect(throws: NetworkError.self) {
                try CurlTransport { configuration in
                    configuration.features = poor
                    change(&configuration)
                }
            }
            #expect(error?.kind == .unsupported(feature: feature, on: "libcurl 7.88.1"))
        }
        let authorities = #expect(throws: NetworkError.self) {
            try CurlTransport {
                $0.features = Self.features(0x074c00, "7.76.0")
                $0.tls.authorities["a.example"] = .adding(.file(URL(filePath: "/etc/corp-ca.pem")))
            }
        }
        guard case .unsupported(_, "libcurl 7.76.0") = authorities?.kind else {
            return #expect(Bool(false), "\(String(describing: authorities))")
        }
    }

    @Test("T1 this machine's libcurl has every required option")
    func here() {
        let features = CurlConfiguration().features
        #expect(features.fault == nil)
        #expect(features.missing == [])
        #expect(!features.version.isEmpty)
    }

    @Test("T1 the features list every option that the engine sets")
    func options() throws {
        var used: Set<String> = []
        for folder in ["Sources/GodwitCurl", "Sources/CGodwitCurl"] {
            let root = ScriptCheck.repository.appending(path: folder)
            for path in try FileManager.default.subpathsOfDirectory(atPath: root.path)
            where !path.hasSuffix("CurlFeatures.swift") && [".swift", ".c", ".h"].contains(where: path.hasSuffix) {
                let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
                used.formUnion(text.matches(of: /CURLOPT_[A-Z0-9_]+/).map { String($0.output) })
            }
        }
        #expect(used.count > 30)
        #expect(used.subtracting(CurlFeatures.known) == [])
    }

    // With the installed libcurl, without the options that 7.76 lacks.
    @Test("T1 T3 without the newer options, exchanges work; requests that must not be sent twice use new connections")
    func floor() async throws {
        let server = try await MockServer { .text("\($0.method) \($0.text)") }
        let transport = try CurlTransport { $0.features = Self.features(0x074c00, "7.76.0") }
        for _ in 0..<3 {
            let response = try await transport.send(HTTPRequest(url: server.url))
            #expect(String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self) == "GET ")
            #expect(response.metrics.total != nil)
        }
        #expect(server.connectionCount == 1)
        for count in 1...3 {
            let response = try await transport.send(HTTPRequest(method: .post, url: server.url, body: "a"))
            #expect(String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self) == "POST a")
            #expect(server.connectionCount == 1 + count)
        }
        var request = HTTPRequest(method: .post, url: server.url, body: "b")
        request.fields[.idempotencyKey] = "k"
        _ = try await transport.send(request)
        #expect(server.connectionCount == 4)
        #expect(server.requestCount == 7)
        await transport.shutdown(.finishing)
    }

    @Test("T1 T4 without the newer options, a silent server throws a timeout of inactivity, not of connecting")
    func floorTimeout() async throws {
        let server = try await MockServer { $0.any("*").reply(.hang) }
        let transport = try CurlTransport { $0.features = Self.features(0x074c00, "7.76.0") }
        var request = HTTPRequest(url: server.url)
        request.options.timeouts.inactivity = .milliseconds(50)
        let error = await #expect(throws: NetworkError.self) { try await transport.send(request) }
        #expect(error?.kind == .timedOut(.inactivity))
        #expect(error?.phase == .sending)
        await transport.shutdown(.cancelling)
    }

    @Test(
        "T1 messages whose codes tell nothing are recognized as the library's version writes them",
        arguments: [
            (0x075801, "nghttp2_session_mem_recv() returned -902", true), (0x075801, "nghttp2 recv error -905", false),
            (0x081700, "nghttp2 recv error -905: Too many CONTINUATION frames", true),
            (0x081700, "nghttp2 recv error -902", true), (0x081700, "nghttp2 recv error -505", false),
        ] as [(UInt32, String, Bool)])
    func messages(number: UInt32, message: String, isLargeHead: Bool) {
        let messages = Self.features(number, "").messages
        #expect(messages.isLargeHead(message) == isLargeHead)
        #expect(messages.isUnannouncedEnd("SSL_read: unexpected eof while reading, errno 0") == (number > 0x080000))
    }

    @Test(
        "T1 the engine compiles with headers as old as libcurl 7.76",
        .enabled(if: ScriptCheck.isPossible, "there is no swiftc on the PATH"),
        .disabled(if: ScriptCheck.isSanitized, "a sanitizer changes nothing about names"), .timeLimit(.minutes(10)))
    func headers() async throws {
        let check = try await ScriptCheck.run("script/libcurl-floor")
        #expect(check.status == 0, "\(check.output)")
        #expect(check.output.contains("compile with libcurl 7.76"), "\(check.output)")
    }
}
