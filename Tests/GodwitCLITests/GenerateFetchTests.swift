import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G2 godwit generate: documents and endpoints from the network", .timeLimit(.minutes(15)))
struct GenerateFetchTests {
    private let folder: TemporaryFolder

    init() throws { folder = TemporaryFolder() }

    private var output: String { folder.path("Out") }

    private func generate(_ arguments: String...) async -> Run {
        await Run.godwit(["generate", "--into", output] + arguments)
    }

    /// A document whose answer is described in another one.
    private static func api(_ reference: String) -> String {
        """
        {"openapi": "3.1.0", "info": {"title": "Harbor", "version": "1"}, "paths": {"/boats": {"get": {
        "operationId": "boat", "responses": {"200": {"description": "One", "content": {"application/json": {
        "schema": {"$ref": "\(reference)"}}}}}}}}}
        """
    }

    private static let schema = "{\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\"}}}"

    @Test("G2 a document is fetched with the header fields of the command line, and so are those that it refers to")
    func references() async throws {
        let server = try await MockServer { route in
            route.get("/v1/api.json").reply(.text(Self.api("boat.json")))
            route.get("/v1/boat.json").reply(.text(Self.schema))
        }
        let run = await generate("--openapi", "\(server.url)v1/api.json", "-H", "X-Key: s3cret")
        #expect(run.code == .success, "\(run.errors)")
        #expect(server.requests.map(\.path) == ["/v1/api.json", "/v1/boat.json"])
        #expect(server.requests.map { $0.fields["X-Key"] } == ["s3cret", "s3cret"])
        for name in try FileManager.default.subpathsOfDirectory(atPath: output) where name.contains(".") {
            #expect(try !folder.read("Out/\(name)").contains("s3cret"), "\(name)")
        }
    }

    @Test("G2 another server that a document refers to gets no header field of the command line")
    func otherServer() async throws {
        let other = try await MockServer { _ in .text(Self.schema) }
        let server = try await MockServer { _ in .text(Self.api("\(other.url)boat.json")) }
        let run = await generate("--openapi", "\(server.url)", "-H", "X-Key: s3cret", "-u", "a:b")
        #expect(run.code == .success, "\(run.errors)")
        #expect(server.requests.first?.fields["X-Key"] == "s3cret")
        #expect(other.requests.map { $0.fields["X-Key"] } == [nil])
        #expect(other.requests.map { $0.fields[.authorization] } == [nil])
    }

    @Test("G2 a local document that refers to a server sends it no header field either")
    func localDocument() async throws {
        let other = try await MockServer { _ in .text(Self.schema) }
        let document = try folder.write(Self.api("\(other.url)boat.json"), to: "api.json")
        let run = await generate("--openapi", document, "-H", "X-Key: s3cret")
        #expect(run.code == .success, "\(run.errors)")
        #expect(other.requests.map { $0.fields["X-Key"] } == [nil])
    }

    @Test("G2 a document from the network can't read local files")
    func localFile() async throws {
        let secret = try folder.write(Self.schema, to: "secret.json")
        let server = try await MockServer { _ in .text(Self.api("file://\(secret)")) }
        let run = await generate("--openapi", "\(server.url)")
        #expect(run.code == .document)
        #expect(run.errors.contains("a document from the network can't refer to a local file"), "\(run.errors)")
    }

    @Test("G2 a local document refers to other files by paths relative to it")
    func relativePaths() async throws {
        try FileManager.default.createDirectory(atPath: folder.path("schemas"), withIntermediateDirectories: true)
        _ = try folder.write(Self.schema, to: "schemas/boat.json")
        let document = try folder.write(Self.api("schemas/boat.json"), to: "api.json")
        #expect(await generate("--openapi", document).code == .success)
        try FileManager.default.removeItem(atPath: folder.path("schemas/boat.json"))
        // An error, or a client without the schema: that is up to the generator.
        #expect(await generate("--openapi", document, "--check").code != .success)
    }

    @Test(
        "G2 if a document that is referred to can't be fetched, nothing is written: what it described would be deleted")
    func missingReference() async throws {
        let server = try await MockServer { route in
            route.get("/api.json").reply(.text(Self.api("boat.json")))
            route.get("/boat.json").reply(.status(503))
        }
        let run = await generate("--openapi", "\(server.url)api.json")
        #expect(run.code == .httpStatus)
        #expect(run.errors.contains(#"api.json:"#) && run.errors.contains("$ref: HTTP 503 from GET"), "\(run.errors)")
        #expect(try folder.names == [])
    }

    @Test("G2 a sample without an answer is called, once")
    func liveSample() async throws {
        let server = try await MockServer { $0.get("/boats").reply(.json(["name": "Ann"])) }
        let run = await generate("--sample", "GET \(server.url)boats", "--name", "Harbor")
        #expect(run.code == .success, "\(run.errors)")
        #expect(server.requests.map(\.path) == ["/boats"])
    }

    @Test("G2 a document or an endpoint that isn't there: exit code 22, and nothing is written")
    func notFound() async throws {
        let server = try await MockServer { _ in .status(404) }
        for source in [["--openapi", "\(server.url)"], ["--sample", "GET \(server.url)boats"]] {
            let run = await Run.godwit(["generate", "--into", output] + source)
            #expect(run.code == .httpStatus)
            #expect(run.errors.contains("HTTP 404 from GET \(server.url)"), "\(run.errors)")
        }
        #expect(try folder.names == [])
    }

    @Test("G2 a silent server reaches --timeout: exit code 4")
    func timeout() async throws {
        let server = try await MockServer { $0.get("/").reply(.hang) }
        let run = await generate("--openapi", "\(server.url)", "--timeout", "0.05")
        #expect(run.code == .timedOut)
    }

    @Test("G2 the command in GENERATED.md has no credentials")
    func repetition() async throws {
        let server = try await MockServer { _ in .text(Self.api("#/components/schemas/Boat")) }
        let url = "\(server.url)api.json?access_token=s3cret"
        let run = await generate("--openapi", url, "-u", "ann:s3cret", "--name", "It's", "--only", "boat")
        #expect(run.code == .success, "\(run.errors)")
        let page = try folder.read("Out/GENERATED.md")
        #expect(page.contains("godwit generate --openapi ") && !page.contains("s3cret"), "\(page)")
        #expect(page.contains("--name 'It'\\''s' --only boat --into \(output)"), "\(page)")
    }
}
