@testable import GodwitGenerator
import Testing

@Suite("G2 curl commands")
struct CurlReaderTests {
    private func body(_ sample: Sample) -> String? {
        sample.requestBody.map { String(decoding: $0.data, as: UTF8.self) }
    }

    @Test("G2 a command that a browser copies becomes a sample")
    func browser() throws {
        let sample = try CurlReader.read(
            #"""
            curl 'https://api.example.com/v1/articles?draft=1' \
              -X 'PUT' \
              -H 'accept: application/json' \
              -H 'content-type: application/json' \
              -b 'sid=abc' --compressed -sSL --insecure \
              --data-raw $'{"title":"It\'s \u00e9 \ud83c\udf0a","n":"a\\nb"}'
            """#)
        #expect(sample.method == "PUT" && sample.target == "https://api.example.com/v1/articles?draft=1")
        #expect(sample.requestFields.map(\.name) == ["accept", "content-type", "Cookie"])
        #expect(body(sample) == #"{"title":"It's é 🌊","n":"a\nb"}"#)
        #expect(sample.status == nil && sample.responseBody == nil)
    }

    @Test("G2 data makes a POST of a form, and JSON is recognized")
    func data() throws {
        let form = try CurlReader.read("curl https://a.example -d a=1 --data b=2 --data-urlencode 'c=x y&z'")
        #expect(form.method == "POST" && body(form) == "a=1&b=2&c=x%20y%26z")
        #expect(Sample.mediaType(form.requestFields) == "application/x-www-form-urlencoded")
        let json = try CurlReader.read(#"curl --json '{"a":1}' --url a.example/x"#)
        #expect(Sample.mediaType(json.requestFields) == "application/json" && json.target == "http://a.example/x")
        let plain = try CurlReader.read(#"curl https://a.example/notes -d '{"a":1}'"#)
        let result = try SampleReader.read([plain], title: nil, guessesEnums: false)
        #expect(SampleOutline.types(result) == ["NoteDraft {a: integer}"])
        let query = try CurlReader.read("curl -G https://a.example/x?a=1 -d b=2")
        #expect(query.method == "GET" && query.target == "https://a.example/x?a=1&b=2" && query.requestBody == nil)
        #expect(try CurlReader.read("curl -I https://a.example").method == "HEAD")
        #expect(try CurlReader.read("$ curl -XDELETE https://a.example").method == "DELETE")
    }

    @Test("G2 parts with files need no file")
    func parts() throws {
        let sample = try CurlReader.read(
            #"curl https://a.example/photos -F caption="At sea" -F 'photo=@img/sea.jpg;type=image/jpeg' --form-string 'at=@me'"#
        )
        #expect(
            sample.form == [
                .init("caption", value: "At sea"), .init("photo", fileName: "sea.jpg", mediaType: "image/jpeg"),
                .init("at", value: "@me"),
            ])
        #expect(sample.method == "POST" && Sample.mediaType(sample.requestFields) == "multipart/form-data")
    }

    @Test("G2 users and tokens become security schemes and are never shown")
    func credentials() throws {
        let samples = [
            try CurlReader.read("curl -u me:s3cret-word https://a.example/x"),
            try CurlReader.read("curl --oauth2-bearer s3cret-token https://a.example/y -H 'X-Api-Key: s3cret-key'"),
        ]
        let result = try SampleReader.read(samples, title: nil, guessesEnums: false)
        #expect(result.securitySchemes.map(\.name) == ["basic", "bearer", "apiKey"])
        #expect(!String(reflecting: result).contains("s3cret"))
        #expect(!String(reflecting: result).contains(Data("me:s3cret-word".utf8).base64EncodedString()))
    }

    @Test("G2 files of `-d @FILE` are read by the caller")
    func files() throws {
        let sample = try CurlReader.read("curl a.example -d @draft.json") { (name) throws(GenerationError) in
            Data("{\"n\": \"\(name)\"}".utf8)
        }
        #expect(body(sample) == #"{"n": "draft.json"}"#)
        let error = #expect(throws: GenerationError.self) { try CurlReader.read("curl a.example -d @draft.json") }
        #expect(error?.reason.contains("`draft.json`") == true)
    }

    @Test(
        "G2 commands that can't be read name what is wrong",
        arguments: [
            ("wget https://a.example", "must begin with `curl`"), ("", "must begin with `curl`"), ("curl", "no URL"),
            ("curl --wobble https://a.example", "unknown option --wobble"),
            ("curl -sZ a.example", "unknown option -Z"),
            ("curl https://a.example -H", "option -H needs a value"), ("curl --data", "option --data needs a value"),
            ("curl 'https://a.example", "is not closed"), ("curl \"https://a.example", "is not closed"),
            ("curl a.example b.example", "more than one URL"), ("curl a.example | jq .", "outside single quotes"),
            ("curl $'a", "is not closed"), ("curl a.example -F x", "a form part has no ="),
        ])
    func failures(command: String, reason: String) {
        let error = #expect(throws: GenerationError.self) { try CurlReader.read(command) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }
}
