@testable import GodwitGenerator
import Testing

@Suite("G2 Types that samples share")
struct SampleResourceTests {
    private func read(_ samples: [Sample], guessesEnums: Bool = false) throws -> APIDescription {
        try SampleReader.read(samples, title: nil, guessesEnums: guessesEnums)
    }

    @Test("G2 the resource of a list, a detail and a created one is one type")
    func resource() throws {
        let result = try read([
            .of("GET /articles", #"{"data": [{"id": 1, "title": "a"}], "meta": {"page": 1}}"#),
            .of("GET /articles/1", #"{"data": {"id": 1, "title": "a", "notes": "n"}}"#),
            .of("POST /articles", #"{"data": {"id": 1, "title": "a", "notes": null}}"#, status: 201),
        ])
        #expect(
            SampleOutline.types(result) == [
                "Article {id: integer, title: string, notes?: string|null}",
                "ArticlePage {data: [Article], meta: {page: integer}}", "ArticleEnvelope {data: Article}",
            ])
        #expect(
            SampleOutline.operations(result) == [
                "articles GET /articles -> 200 ArticlePage", "article GET /articles/{id} -> 200 ArticleEnvelope",
                "createArticle POST /articles -> 201 ArticleEnvelope",
            ])
        let notes = result.notes.map(\.text)
        #expect(notes.contains("`Article.notes` is optional: absent in 1 of 3 samples"))
        #expect(notes.contains("`ArticlePage` is named after `Article`, which it contains"))
    }

    @Test("G2 an empty list has the type of the resource that another sample shows")
    func emptyList() throws {
        let result = try read([
            .of("GET /articles", #"{"items": [], "total": 0}"#), .of("GET /articles/1", #"{"id": 1}"#),
            .of("GET /users", "[]"),
        ])
        #expect(
            SampleOutline.types(result) == ["Article {id: integer}", "ArticlePage {items: [Article], total: integer}"])
        #expect(SampleOutline.operations(result).last == "users GET /users -> 200 [any]")
    }

    @Test("G2 lists and details that contradict each other end with the path")
    func contradiction() {
        let error = #expect(throws: GenerationError.self) {
            try read([
                .of("GET /articles", #"[{"id": 1, "author": "x"}]"#, file: "list.json"),
                .of("GET /articles/1", #"{"id": 1, "author": {"id": 2}}"#, file: "detail.json"),
            ])
        }
        #expect(error?.kind == .contradiction)
        #expect(error?.description.hasPrefix("detail.json:1:21 (#/author): `Article.author` is an object") == true)
        #expect(error?.description.contains("a text at list.json:1:22 (#/0/author)") == true)
    }

    @Test("G2 items of different collections are different types if they differ")
    func scopes() throws {
        let result = try read([
            .of("GET /carts/1/items", #"[{"sku": "a", "count": 1}]"#),
            .of("GET /lists/1/items", #"[{"text": "a", "done": true}]"#),
            .of("GET /users/1/orders", #"[{"id": 1, "sum": 2}]"#), .of("GET /orders/1", #"{"id": 1, "sum": 2.5}"#),
        ])
        #expect(
            SampleOutline.types(result) == [
                "Item {sku: string, count: integer}", "ListItem {text: string, done: boolean}",
                "Order {id: integer, sum: number}",
            ])
    }

    @Test("G2 requests are drafts and changes, with the types of their resource")
    func drafts() throws {
        let result = try read(
            [
                .of(
                    "GET /articles", #"[{"id": 1, "status": "draft", "price": 1.5, "notes": null, "at": "2026-05-01"}]"#
                ),
                .of("GET /articles/1", #"{"id": 1, "status": "live", "price": 1, "notes": "a", "at": "2026-05-01"}"#),
                .of("POST /articles", status: 201, request: #"{"status": "draft", "price": 1}"#),
                .of("PATCH /articles/1", status: 200, request: #"{"notes": "b", "status": "hidden"}"#),
            ], guessesEnums: true)
        #expect(
            SampleOutline.types(result) == [
                "Article {id: integer, status: ArticleStatus, price: number, notes: string|null, at: date}",
                "ArticleDraft {status: ArticleStatus, price: number}",
                "ArticleChange {notes?: string|null, status?: ArticleStatus}",
                #"ArticleStatus strings(["draft", "live"])"#,
            ])
        #expect(result.operations[2].body?.isRequired == true)
    }

    @Test("G2 equal objects under one key are one type, also a type inside itself")
    func repeated() throws {
        let result = try read([
            .of("GET /articles/1", #"{"id": 1, "author": {"id": 1, "name": "x", "avatar": null}}"#),
            .of("GET /photos/1", #"{"id": 1, "url": "x", "author": {"id": 1, "name": "x", "avatar": "a"}}"#),
            .of("GET /categories/1", #"{"id": 1, "name": "a", "children": [{"id": 2, "name": "b", "children": []}]}"#),
            .of(
                "GET /comments/1",
                #"{"id": 1, "text": "a", "photo": {"id": 1, "url": "x", "author": {"id": 1, "name": "y", "avatar": "b"}}}"#
            ),
        ])
        #expect(
            SampleOutline.types(result) == [
                "Article {id: integer, author: Author}", "Photo {id: integer, url: string, author: Author}",
                "Category {id: integer, name: string, children: [Category]}",
                "Comment {id: integer, text: string, photo: Photo}",
                "Author {id: integer, name: string, avatar: string|null}",
            ])
    }

    @Test("G2 an answer with exactly the members of a type is that type")
    func twin() throws {
        let article = #"{"id": 1, "title": "a", "open": true}"#
        let result = try read([
            .of("GET /articles/1", article), .of("POST /articles/1/publish", article),
            .of("GET /spotlight", article), .of("GET /articles/popular", "[\(article)]"),
        ])
        #expect(SampleOutline.types(result) == ["Article {id: integer, title: string, open: boolean}"])
        #expect(
            SampleOutline.operations(result).map { $0.split(separator: ">")[1] } == [
                " 200 Article", " 200 Article", " 200 Article", " 200 [Article]",
            ])
    }

    @Test("G2 failures are answers of their status, with one type if they are alike")
    func failures() throws {
        var problem = Sample.of(
            "GET /articles/3", #"{"type": "about:blank", "title": "x", "status": 403}"#, status: 403)
        problem.responseFields = [.init("Content-Type", "application/problem+json; charset=utf-8")]
        let result = try read([
            .of("GET /articles/1", #"{"id": 1}"#),
            .of("GET /articles/2", #"{"message": "x"}"#, status: 404),
            .of("POST /articles", #"{"message": "x", "errors": {"title": ["empty"]}}"#, status: 422), problem,
        ])
        #expect(
            SampleOutline.types(result) == [
                "Article {id: integer}",
                "ErrorResponse {message: string, errors?: {title: [string]}}",
                "Problem {type: string, title: string, status: integer}",
            ])
        #expect(
            SampleOutline.operations(result) == [
                "article GET /articles/{id} -> 200 Article, 404 ErrorResponse, 403 application/problem+json Problem",
                "createArticle POST /articles -> 422 ErrorResponse",
            ])
    }

    @Test("G2 forms and multipart bodies have the types of their fields")
    func forms() throws {
        var form = Sample.of("POST /contact", status: 204, request: "name=A+b&age=3&tag=x&tag=y")
        form.requestFields = [.init("content-type", "application/x-www-form-urlencoded")]
        var upload = Sample("POST", "/photos", status: 201)
        upload.form = [.init("caption", value: "sea"), .init("file", fileName: "a.jpg", mediaType: "image/jpeg")]
        var raw = Sample.of("POST /avatars", status: 201)
        raw.requestFields = [.init("Content-Type", "multipart/form-data; boundary=\"xx\"")]
        let body =
            "--xx\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n5\r\n--xx\r\nContent-Disposition: form-data; "
            + "name=\"f\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n123\r\n--xx--\r\n"
        raw.requestBody = SourceFile(name: "raw", data: Data(body.utf8))
        let result = try read([form, upload, raw])
        #expect(
            SampleOutline.operations(result) == [
                "createContact POST /contact < application/x-www-form-urlencoded {name: string, age: integer, "
                    + "tag: [string]} -> 204",
                "createPhoto POST /photos < multipart/form-data {caption: string, file: binary} -> 201",
                "createAvatar POST /avatars < multipart/form-data {n: integer, f: binary} -> 201",
            ])
        let contents = result.operations.compactMap(\.body?.contents.first)
        #expect(contents[1].encodings == ["file": PartEncoding(mediaType: "image/jpeg")])
        #expect(contents[2].encodings == ["f": PartEncoding(mediaType: "image/png")])
    }

    @Test("G2 the body of each sample is an example with the name of its file, once")
    func examples() throws {
        let result = try read([
            .of("GET /articles/1", #"{"id": 1}"#, file: "a.json"),
            .of("GET /articles/2", #"{"id": 2}"#, file: "b.json"),
            .of("POST /articles", #"{"id": 1}"#, request: #"{"title": "t"}"#, file: "c.json"),
        ])
        let examples = result.operations[0].responses[0].contents[0].examples
        #expect(examples.map(\.name) == ["a.json", "b.json"])
        #expect(examples.map { $0.value["id"]?.value } == [.number("1"), .number("2")])
        #expect(result.operations[1].body?.contents[0].examples.first?.value["title"]?.string == "t")
    }

    @Test("G2 a request that failed doesn't make a member optional")
    func failedRequest() throws {
        let result = try read([
            .of("POST /articles", #"{"message": "x"}"#, status: 422, request: #"{"body": "a"}"#),
            .of("POST /articles", #"{"id": 1}"#, status: 201, request: #"{"title": "a", "body": "b"}"#),
        ])
        #expect(SampleOutline.types(result).contains("ArticleDraft {title: string, body: string}"))
        #expect(result.operations[0].body?.isRequired == true)
    }

    @Test("G2 a stream of JSON lines has the type of its elements")
    func lines() throws {
        var sample = Sample.of("GET /birds", "{\"id\": 1}\n\n{\"id\": 2, \"token\": \"abcdefgh\"}\n")
        sample.responseFields = [.init("Content-Type", "application/x-ndjson")]
        let result = try read([sample])
        let content = try #require(result.operations.first?.responses.first?.contents.first)
        #expect(content.itemSchema.map(SampleOutline.text) == "{id: integer, token?: string}")
        #expect(content.schema == nil && !String(reflecting: result).contains("abcdefgh"))
        sample.responseBody?.data = Data("{}\n{".utf8)
        let error = #expect(throws: GenerationError.self) { try read([sample]) }
        #expect(error?.place?.file == "sample.json line 2")
    }

    @Test("G2 answers that aren't JSON are texts or bytes")
    func otherBodies() throws {
        let samples = [("text/csv", "a,b"), ("application/pdf", "%PDF")].map { type, text in
            var sample = Sample.of("GET /\(type)", text)
            sample.responseFields = [.init("Content-Type", type)]
            return sample
        }
        #expect(
            try SampleOutline.operations(read(samples)).map { $0.split(separator: ">")[1] } == [
                " 200 text/csv string", " 200 application/pdf binary",
            ])
    }
}
