import Corpus
import Foundation
import Godwit
import GodwitTesting
import Testing

/// What generated endpoints send, by the table of styles (OpenAPI 3.1 section 4.8.12.4).
@Suite("Parameters and forms at the wire")
struct StyleTests {
    /// The request that a call makes.
    private func request<Value>(_ endpoint: Endpoint<Value>) async throws -> MockRequest {
        let mock = MockTransport { $0.any("*").reply(.status(204)) }
        let api = APIClient(baseURL: "https://mock.example.com", transport: mock)
        _ = try? await api.send(endpoint)
        return try #require(mock.requests.first)
    }

    private func query(_ items: [(name: String, value: String)]) -> [String] { items.map { "\($0.name)=\($0.value)" } }

    @Test("query parameters have the names and separators of their styles")
    func queryStyles() async throws {
        let filter = StyledFilter(
            name: "n", range: .init(min: 1, max: 2), any: ["a", "b"], shipping: .init(address: .init(city: "Bonn")))
        let created: ReadStyledCreated = .variant2(.init(gte: 5, lt: 9))
        let sent = try await request(
            .readStyled(
                formList: ["a", "b"], formJoined: [1, 2], spaces: ["a", "b"], pipes: [.known(.a), .known(.b)],
                formObject: StyledPoint(x: 1, y: 2, tags: ["t", "u"]), flatObject: StyledPoint(x: 1, y: 2),
                deep: filter,
                pipesExploded: ["c", "d"], metadata: ["k": "v"], expand: ["e", "f"], created: created,
                json: StyledPoint(x: 3), map: ["m": 7], links: [try #require(URL(string: "https://a.example/b"))]))
        #expect(
            Set(query(sent.queryItems)) == [
                "formList=a", "formList=b", "formJoined=1,2", "spaces=a b", "pipes=a|b", "x=1", "y=2", "tags=t",
                "tags=u",
                "flatObject=x,1,y,2", "deep[name]=n", "deep[range][min]=1", "deep[range][max]=2", "deep[any][]=a",
                "deep[any][]=b", "deep[shipping][address][city]=Bonn", "pipesExploded=c", "pipesExploded=d",
                "metadata[k]=v", "expand[]=e", "expand[]=f", "created[gte]=5", "created[lt]=9", "json={\"x\":3}", "m=7",
                "links=https://a.example/b",
            ])
        #expect(sent.query?.contains("spaces=a%20b&pipes=a%7Cb") == true)
    }

    @Test("a parameter with several shapes is sent as the one that it has")
    func shapes() async throws {
        let point = StyledPoint(x: 1)
        let sent = try await request(
            .readStyled(
                formList: [], formJoined: [], spaces: [], pipes: [], formObject: point, flatObject: point,
                deep: StyledFilter(), created: .integer(5)))
        #expect(query(sent.queryItems).contains("created=5"))
    }

    @Test("parameters of a path have the prefixes and separators of their styles")
    func pathStyles() async throws {
        let point = PathPoint(x: 1, y: 2)
        let date = Date(timeIntervalSince1970: 0)
        let plain = try await request(.readPathPlain(list: ["a", "b"], object: point, flat: point, at: date))
        #expect(plain.path == "/plain/a,b/x=1,y=2/x,1,y,2/1970-01-01T00:00:00Z")
        let label = try await request(.readPathLabel(one: "a", list: ["a", "b"], exploded: ["a", "b"], object: point))
        #expect(label.path == "/label/.a/.a,b/.a.b/.x=1.y=2")
        let matrix = try await request(
            .readPathMatrix(one: 5, list: ["a", "b c"], exploded: ["a", "b/c"], object: point))
        #expect(matrix.target == "/matrix/;one=5/;list=a,b%20c/;exploded=a;exploded=b%2Fc/;object=x,1,y,2")
        #expect(try await request(.readPathRange(from: 1, to: .known(.now))).path == "/range/1..now")
    }

    @Test("fields and cookies are one text")
    func fieldStyles() async throws {
        let point = HeaderPoint(x: 1, y: "z")
        let headed = try await request(.readHeaded(xList: ["a", "b"], xObject: point, xExploded: point, xJson: point))
        #expect(headed.fields["X-List"] == "a,b")
        #expect(headed.fields["X-Object"] == "x,1,y,z")
        #expect(headed.fields["X-Exploded"] == "x=1,y=z")
        #expect(headed.fields["X-Json"] == #"{"x":1,"y":"z"}"#)
        let cookies = try await request(.readCookied(session: "s", list: ["a", "b"], object: point))
        #expect(cookies.fields["Cookie"] == "session=s; list=a%2Cb; object=x%2C1%2Cy%2Cz")
    }

    @Test("a form has nested values with brackets, as its encoding says")
    func forms() async throws {
        let sent = try await request(
            .sendForm(
                name: "n", expand: ["a", "b"], joined: ["c", "d"], metadata: ["k": "v"],
                shipping: .init(address: .init(city: "Bonn")), point: .init(x: 1), ok: true))
        let items = Set(sent.text.split(separator: "&").map { $0.removingPercentEncoding ?? "" })
        #expect(
            items == [
                "name=n", "expand[]=a", "expand[]=b", "joined=c,d", "metadata[k]=v", "shipping[address][city]=Bonn",
                "point={\"x\":1}", "ok=true",
            ])
    }

    @Test("a value in a form that isn't one text is written as its encoding says")
    func formEncodings() async throws {
        let point = EncodedPoint(x: 1, y: 2)
        let sent = try await request(
            .sendEncodedForm(
                plain: point, exploded: point, flat: point, json: point, jsonList: ["a", "b"], repeated: ["c", "d"],
                piped: ["e", "f"], spaced: [1, 2], odd: "<o/>"))
        let items = Set(
            sent.text.split(separator: "&").map { item in
                item.replacing("+", with: " ").removingPercentEncoding ?? ""
            })
        #expect(
            items == [
                "plain={\"x\":1,\"y\":2}", "x=1", "y=2", "flat=x,1,y,2", "json={\"x\":1,\"y\":2}",
                "jsonList=[\"a\",\"b\"]", "repeated=c", "repeated=d", "piped=e|f", "spaced=1 2", "odd=<o/>",
            ])
    }

    @Test("a part with a style is one text, or several with names, as in a form")
    func styledParts() async throws {
        let point = EncodedPoint(x: 1, y: 2)
        let file = MultipartFile.data(Data("f".utf8), fileName: "f.txt")
        let sent = try await request(
            .sendStyledParts(
                list: ["a", "b"], repeated: [1, 2], exploded: point, flat: point, deep: point, plain: point,
                file: file))
        let type = try #require(sent.fields[.contentType].flatMap(MediaType.init(_:)))
        let parts = sent.text.components(separatedBy: "--\(try #require(type.boundary))").map { part in
            part.replacing("\r\n", with: "\n").replacing("\nContent-Disposition: form-data; name=", with: "")
        }
        #expect(
            parts.dropFirst().dropLast() == [
                "\"list\"\n\na,b\n", "\"repeated\"\n\n1\n", "\"repeated\"\n\n2\n", "\"x\"\n\n1\n", "\"y\"\n\n2\n",
                "\"flat\"\n\nx|1|y|2\n", "\"deep[x]\"\n\n1\n", "\"deep[y]\"\n\n2\n",
                "\"plain\"\nContent-Type: application/json\n\n{\"x\":1,\"y\":2}\n",
                "\"file\"; filename=\"f.txt\"\n\nf\n",
            ])
    }

    @Test(
        "a part that is a file or several takes files; bodies with parts of their own take the type with its boundary")
    func files() async throws {
        let files = ["a", "b"].map { MultipartFile.data(Data($0.utf8), fileName: "\($0).txt") }
        let sent = try await request(.sendFileOrFiles(image: files))
        #expect(sent.text.ranges(of: "name=\"image\"; filename=").count == 2)
        let type = try #require(MediaType("multipart/related; boundary=x"))
        let related = try await request(.sendRelated(body: .bytes(Data("--x--".utf8)), contentType: type))
        #expect(related.fields[.contentType] == "multipart/related; boundary=x")
        #expect(try await request(.readSpaced(x: "1")).path == "/a%20b/1")
    }

    @Test("a form that can be left out is not sent without a field")
    func optionalForms() async throws {
        for sent in [try await request(.maybeForm()), try await request(.maybeParts())] {
            #expect(sent.body.isEmpty && sent.fields[.contentType] == nil)
        }
        #expect(try await request(.maybeForm(b: [1, 2])).text == "b=1&b=2")
        let parts = try await request(.maybeParts(a: "x"))
        #expect(parts.text.contains("name=\"a\"") && parts.fields[.contentType]?.hasPrefix("multipart/") == true)
        #expect(try await request(.maybeNeeded(a: "x")).text == "a=x")
    }

    @Test("parts with JSON, with types and with header fields of their own say so")
    func parts() async throws {
        let meta = PartMeta(title: "t")
        let file = MultipartFile.data(Data("f".utf8), fileName: "f.txt")
        let sent = try await request(
            .sendParts(
                meta: meta, metaXVersion: 3, file: file, fileXPart: "p", fileXRanks: [1, 2], list: [meta, meta],
                xml: "<a/>", numbers: [1, 2]))
        let parts = sent.text.replacing("\r\n", with: "\n")
        let json = "name=\"meta\"\nContent-Type: application/json\nX-Version: 3\n\n{\"title\":\"t\"}"
        #expect(parts.contains(json))
        #expect(parts.contains("name=\"file\"; filename=\"f.txt\"\nX-Part: p\nX-Ranks: 1,2\n\nf"))
        #expect(parts.ranges(of: "name=\"list\"\nContent-Type: application/json").count == 2)
        #expect(parts.contains("name=\"xml\"\nContent-Type: application/xml\n\n<a/>"))
        #expect(parts.ranges(of: "name=\"numbers\"\n\n").count == 2)
    }

    @Test("a body of another type has it, and a body of any type takes it")
    func types() async throws {
        #expect(try await request(.sendXml(body: .bytes(Data("<a/>".utf8)))).fields[.contentType] == "application/xml")
        let type = try #require(MediaType("image/webp"))
        #expect(
            try await request(.sendAnyImage(body: .bytes(Data("a".utf8)), contentType: type)).fields[.contentType]
                == "image/webp")
        #expect(try await request(.maybeText()).fields[.contentType] == nil)
    }
}
