@testable import GodwitGenerator
import Testing

@Suite("G2 HAR files")
struct HARReaderTests {
    private func entry(
        _ method: String, _ url: String, status: Int = 200, type: String = "application/json", text: String? = "{}",
        encoding: String? = nil, post: String? = nil
    ) -> String {
        let content = text.map { #", "text": "\#($0)""# } ?? ""
        let coded = encoding.map { #", "encoding": "\#($0)""# } ?? ""
        return """
            {"request": {"method": "\(method)", "url": "\(url)", "headers": [{"name": ":method", "value": "x"},
             {"name": "Authorization", "value": "Bearer abcdefgh"}]\(post.map { #", "postData": \#($0)"# } ?? "")},
             "response": {"status": \(status), "headers": [], "content": {"mimeType": "\(type)"\(content)\(coded)}}}
            """
    }

    private func read(
        _ entries: [String], host: String? = nil
    ) throws(GenerationError) -> (samples: [Sample], notes: [String]) {
        let text = #"{"log": {"version": "1.2", "entries": [\#(entries.joined(separator: ","))]}}"#
        let result = try HARReader.read(SourceFile(name: "a.har", data: Data(text.utf8)), host: host)
        return (result.samples, result.notes.map(\.text))
    }

    @Test("G2 calls become samples with their fields and bodies")
    func calls() throws {
        let result = try read([
            entry("GET", "https://api.example/a?b=1", type: "application/json; charset=utf-8", text: #"{\"id\": 1}"#),
            entry(
                "POST", "https://api.example/a", status: 201, text: "eyJpZCI6IDJ9", encoding: "base64",
                post: #"{"mimeType": "application/json", "text": "{\"n\": 1}"}"#),
            entry(
                "POST", "https://api.example/f", status: 204, type: "", text: nil,
                post:
                    #"{"mimeType": "multipart/form-data", "params": [{"name": "a", "value": "b"}, {"name": "f", "fileName": "x.png", "contentType": "image/png"}]}"#
            ),
        ])
        #expect(result.samples.map(\.method) == ["GET", "POST", "POST"] && result.notes.isEmpty)
        #expect(result.samples.map(\.status) == [200, 201, 204])
        #expect(
            result.samples.map { $0.responseBody.map { String(decoding: $0.data, as: UTF8.self) } } == [
                #"{"id": 1}"#, #"{"id": 2}"#, nil,
            ])
        #expect(result.samples[0].requestFields == [.init("Authorization", "Bearer abcdefgh")])
        #expect(result.samples[1].requestBody.map { String(decoding: $0.data, as: UTF8.self) } == #"{"n": 1}"#)
        #expect(result.samples[2].form.map(\.fileName) == [nil, "x.png"])
        let description = try SampleReader.read(result.samples, title: nil, guessesEnums: false)
        #expect(
            SampleOutline.operations(description) == [
                "a GET /a?b -> 200 A", "createA POST /a < ADraft -> 201 A",
                "createF POST /f < multipart/form-data {a: string, f: binary} -> 204",
            ])
    }

    @Test("G2 what isn't a call of the API is skipped, with one note for each kind")
    func skipped() throws {
        let url = "https://api.example/x"
        let result = try read([
            entry("GET", url), entry("GET", url, type: "image/png"), entry("GET", url, type: "image/webp"),
            entry("GET", url, type: "text/javascript"), entry("GET", url, type: "text/css"),
            entry("GET", url, type: "font/woff2"), entry("OPTIONS", url), entry("GET", url, status: 302),
            entry("GET", url, status: 304), entry("GET", url, status: 0), entry("GET", "data:text/plain,a"),
            entry("GET", url, type: "text/html"), entry("GET", url, text: nil),
            entry("POST", url, post: #"{"mimeType": "application/x-protobuf", "text": "a"}"#),
        ])
        #expect(result.samples.count == 2)
        let notes = result.notes.map { Note(.omission, $0) }
        let description = try SampleReader.read(result.samples, title: nil, guessesEnums: false, notes: notes)
        #expect(Array(description.notes.prefix(notes.count)) == notes)
        #expect(
            result.notes == [
                "2 × image skipped", "1 × script skipped", "1 × style sheet skipped", "1 × font skipped",
                "1 × preflight skipped", "1 × redirect skipped", "1 × answer from the cache skipped",
                "1 × call without an answer skipped", "1 × call that isn't HTTP skipped", "1 × page skipped",
                "1 × answer without its body skipped", "1 × request with application/x-protobuf skipped",
            ])
    }

    @Test("G2 the host with the most JSON is taken unless another is chosen")
    func hosts() throws {
        let entries = [
            entry("GET", "https://track.example/a"), entry("GET", "https://api.example/a"),
            entry("GET", "https://api.example/b"), entry("GET", "https://api.example/c", type: "text/plain"),
        ]
        let result = try read(entries)
        #expect(result.samples.count == 3)
        #expect(result.notes == ["1 × call of `track.example` skipped: `api.example` was guessed"])
        let chosen = try read(entries, host: "track.example")
        #expect(chosen.samples.map(\.target) == ["https://track.example/a"])
        #expect(chosen.notes == ["3 × call of `api.example` skipped: `track.example` was chosen"])
        let error = #expect(throws: GenerationError.self) { try read(entries, host: "x.example") }
        #expect(error?.reason.contains("track.example, api.example") == true)
    }

    @Test("G2 files that aren't HAR end in one message")
    func failures() {
        func reason(_ text: String) -> String? {
            #expect(throws: GenerationError.self) {
                try HARReader.read(SourceFile(name: "a.har", data: Data(text.utf8)))
            }?.reason
        }
        #expect(reason("{}")?.contains("`log.entries`") == true)
        #expect(reason(#"{"log": {"entries": [{}]}}"#)?.contains("no call with JSON") == true)
        #expect(reason(#"{"log": {"entries": []}}"#)?.contains("no call with JSON") == true)
        #expect(reason("<html>")?.contains("not valid JSON") == true)
    }

    @Test("G2 an odd entry is skipped and counted, the others are read")
    func oddEntries() throws {
        let odd = entry("GET", "https://a.b/1", text: "***", encoding: "base64")
        let read = try read(["{}", odd, entry("GET", "https://a.b/2")])
        #expect(read.samples.map(\.target) == ["https://a.b/2"])
        #expect(
            read.notes == [
                "1 × entry without a request with a URL and a response skipped",
                "1 × answer whose body isn't valid Base64 skipped",
            ])
    }
}
