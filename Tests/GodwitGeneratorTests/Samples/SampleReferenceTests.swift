@testable import GodwitGenerator
import Testing

@Suite("G2 Samples on the command line")
struct SampleReferenceTests {
    @Test("G2 a sample says its method, path, status and files")
    func parts() throws {
        let full = try Sample.parse("POST /articles < draft.json => 201 article.json")
        #expect(full.method == "POST" && full.target == "/articles" && full.requestFile == "draft.json")
        #expect(full.status == 201 && full.files == ["article.json"])
        let several = try Sample.parse("get /articles?page=2=>a.json, b.json")
        #expect(several.method == "GET" && several.target == "/articles?page=2")
        #expect(several.files == ["a.json", "b.json"] && several.status == nil)
        let empty = try Sample.parse("DELETE /articles/42 => 204")
        #expect(empty.status == 204 && empty.files.isEmpty)
    }

    @Test("G2 a file alone has neither a method nor a path, and a URL alone is called")
    func short() throws {
        #expect(try Sample.parse("data/sightings.json").files == ["data/sightings.json"])
        #expect(try Sample.parse("/tmp/a.json,b.json").files == ["/tmp/a.json", "b.json"])
        #expect(try Sample.parse("-").target == nil)
        #expect(try Sample.parse("-").files == ["-"])
        let live = try Sample.parse("https://api.example.com/v1/articles")
        #expect(live.method == "GET" && live.target == "https://api.example.com/v1/articles" && live.files.isEmpty)
        #expect(try Sample.parse("/articles => a.json").target == "/articles")
        #expect(try Sample.parse("/articles < draft.json").method == "POST")
    }

    @Test(
        "G2 a sample that can't be read names what is wrong",
        arguments: [
            ("", "a path or a file is missing"), ("GET", "a path must follow GET"),
            ("GET articles => a.json", "must begin with `/`"), ("FETCH /articles => a.json", "not a method"),
            ("GET /a => 99 a.json", "99 is not a status"), ("GET /a => a.json,", "next to a comma"),
            ("GET /a => ", "must follow `=>`"), ("GET /a => b => c", "`=>` occurs twice"),
            ("POST /a < => 201", "a file must follow `<`"), ("POST /a < b < c", "`<` occurs twice"),
            ("GET /a b => c.json", "a path has no spaces"), ("POST /a < b=c d => 201", "`d` is not a field"),
        ])
    func failures(text: String, reason: String) {
        let error = #expect(throws: GenerationError.self) { try Sample.parse(text) }
        #expect(error?.kind == .invalid)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("G2 each file is a sample of its own, with the same request")
    func samples() throws {
        let reference = try Sample.parse("POST /a < draft.json => 201 a.json,b.json")
        let files = ["a.json", "b.json"].map { SourceFile(name: $0, data: Data("{}".utf8)) }
        let samples = reference.samples(request: SourceFile(name: "draft.json", data: Data("{}".utf8)), answers: files)
        #expect(samples.map(\.responseBody?.name) == ["a.json", "b.json"])
        #expect(samples.allSatisfy { $0.requestBody?.name == "draft.json" && $0.status == 201 })
        #expect(try Sample.parse("DELETE /a => 204").samples(request: nil, answers: []).map(\.status) == [204])
    }

    @Test("G2 a form is given field by field, and its files aren't read")
    func form() throws {
        let upload = try Sample.parse("POST /photos < photo=@img/owl.JPG title='Two owls' tags[]=a => 201 photo.json")
        #expect(upload.requestFile == nil && upload.files == ["photo.json"])
        #expect(
            upload.form == [
                Sample.Part("photo", fileName: "img/owl.JPG", mediaType: "image/jpeg"),
                Sample.Part("title", value: "Two owls"), Sample.Part("tags[]", value: "a"),
            ])
        #expect(upload.samples(request: nil, answers: []).first?.form == upload.form)
        #expect(try Sample.parse("POST /a < ./b=c.json").requestFile == "./b=c.json")
        #expect(try Sample.parse("POST /a < draft 1.json").requestFile == "draft 1.json")
    }

    @Test("G2 a file's extension says the type of a body, unless it is JSON under another name")
    func types() throws {
        let photo = SourceFile(name: "owl.jpg", data: Data([0xFF, 0xD8]))
        let note = SourceFile(name: "note.txt", data: Data(" [1]".utf8))
        let sample = try #require(
            try Sample.parse("PUT /photo < owl.jpg => note.txt").samples(request: photo, answers: [note]).first)
        #expect(sample.requestFields == [Sample.Field("Content-Type", "image/jpeg")])
        #expect(sample.responseFields.isEmpty)
        #expect(Sample.fields(for: SourceFile(name: "a.b/note", data: Data())).isEmpty)
    }
}
