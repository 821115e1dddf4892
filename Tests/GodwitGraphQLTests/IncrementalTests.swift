import Godwit
import GodwitGraphQL
import GodwitTesting
import Testing

@Suite("G3 incremental delivery", .timeLimit(.minutes(15)))
struct IncrementalTests {
    /// The values after each part, and the error that ended the loop.
    private func updates(
        _ body: [Data], type: String, options: (inout GraphQLOptions) -> Void = { _ in }
    ) async throws -> (names: [String], error: NetworkError?) {
        let fixture = try await Fixture(options: options) { _ in .chunks(body, contentType: type) }
        var names: [String] = []
        do throws(NetworkError) {
            for try await update in fixture.graphQL.updates(for: .viewer()) {
                let titles = update.value.viewer?.articles?.map { $0?.title ?? "nil" } ?? []
                names.append(
                    ([update.value.viewer?.name ?? "-"] + titles + update.errors.map(\.message)).joined(separator: " ")
                        + (update.isComplete ? "." : ""))
            }
            return (names, nil)
        } catch {
            return (names, error)
        }
    }

    private static func mixed(_ parts: [String], boundary: String = "-") -> Data {
        var text = "preamble\r\n--\(boundary)"
        for part in parts {
            text += "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\(part)\r\n--\(boundary)"
        }
        return Data((text + "--\r\nepilogue").utf8)
    }

    private static let current = [
        #"{"data":{"viewer":{"articles":[{"title":"1"}]}},"pending":[{"id":"0","path":["viewer"],"label":"n"},"#
            + #"{"id":"1","path":["viewer","articles"]}],"hasNext":true}"#,
        #"{"incremental":[{"id":"1","items":[{"title":"2"},null]}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","data":{"name":"Ann"}}],"completed":[{"id":"0"}],"hasNext":true}"#,
        #"{"completed":[{"id":"1","errors":[{"message":"cut"}]}],"hasNext":false}"#,
    ]
    private static let merged = ["- 1", "- 1 2 nil", "Ann 1 2 nil", "Ann 1 2 nil cut."]

    @Test("G3 the current draft is merged, with parts split anywhere", arguments: [1, 2, 3, 7, 64, 10_000])
    func current(size: Int) async throws {
        let body = Self.mixed(Self.current, boundary: "a-b")
        let chunks = stride(from: 0, to: body.count, by: size).map { body[$0..<min($0 + size, body.count)] }
        let (names, error) = try await updates(chunks.map { Data($0) }, type: #"multipart/mixed; boundary="a-b""#)
        #expect(names == Self.merged)
        #expect(error == nil)
    }

    @Test("G3 the older forms with a path are merged")
    func older() async throws {
        let parts = [
            #"{"data":{"viewer":{"articles":[{"title":"1"}]}},"hasNext":true}"#,
            #"{"incremental":[{"items":[{"title":"2"}],"path":["viewer","articles",1]},{"data":{"name":"Ann"},"path":["viewer"]}],"#
                + #""hasNext":true}"#,
            #"{"path":["viewer"],"data":{"name":"Eve"},"hasNext":true}"#, #"{"hasNext":false}"#,
        ]
        let (names, error) = try await updates([Self.mixed(parts)], type: "multipart/mixed")
        #expect(names == ["- 1", "Ann 1 2", "Eve 1 2", "Eve 1 2."])
        #expect(error == nil)
    }

    @Test("G3 server-sent events carry the same payloads")
    func events() async throws {
        let text = Self.current.map { "event: next\ndata: \($0)\n\n" }.joined() + "event: complete\ndata:\n\n"
        let (names, error) = try await updates([Data(text.utf8)], type: "text/event-stream")
        #expect(names == Self.merged)
        #expect(error == nil)
    }

    @Test("G3 empty parts between others drop nothing; one before the end completes the result")
    func emptyParts() async throws {
        let parts = Self.current.flatMap { ["{}", $0] }
        #expect(try await updates([Self.mixed(parts)], type: "multipart/mixed").names == Self.merged)
        let events = parts.map { "event: next\ndata: \($0)\n\n" }.joined()
        #expect(try await updates([Data(events.utf8)], type: "text/event-stream").names == Self.merged)
        let (names, error) = try await updates(
            [Self.mixed(Self.current.dropLast() + ["{}"])], type: "multipart/mixed")
        #expect(names == Self.merged.dropLast() + ["Ann 1 2 nil."])
        #expect(error == nil)
    }

    @Test("G3 a server without incremental delivery sends one complete result, or its errors")
    func plain() async throws {
        let (names, _) = try await updates(
            [Data(#"{"data":{"viewer":{"name":"Ann"}}}"#.utf8)], type: "application/json")
        #expect(names == ["Ann."])
        let failed = try await updates([Data(#"{"errors":[{"message":"no"}]}"#.utf8)], type: "application/json")
        #expect(failed.error?.graphQLErrors.first?.message == "no")
    }

    @Test("G3 a response that ends early, lies about places or is too large throws, after what was merged")
    func hostile() async throws {
        let first = #"{"data":{"viewer":{"name":"Ann"}},"hasNext":true}"#
        func outcome(_ second: String?) async throws -> (names: [String], error: NetworkError?) {
            try await updates([Self.mixed([first] + (second.map { [$0] } ?? []))], type: "multipart/mixed; boundary=-")
        }
        let early = try await outcome(nil)
        #expect(early.names == ["Ann"])
        #expect(early.error?.description.contains("before its last part") == true)
        for second in [
            "[]", "{", #"{"incremental":[{"id":"7","data":{}}],"hasNext":true}"#,
            #"{"incremental":[{"path":["viewer",5],"data":{"a":1}}],"hasNext":true}"#,
            #"{"incremental":[{"path":["viewer","articles",9],"items":[1]}],"hasNext":true}"#,
            #"{"incremental":[{"path":["viewer","name"],"data":{"a":1}}],"hasNext":true}"#,
        ] {
            let error = try await outcome(second).error
            guard case .transport(.protocolViolation)? = error?.kind else {
                Issue.record("\(second): \(error as Any)")
                continue
            }
        }
        let large = Self.mixed([first, #"{"hasNext":true,"x":"\#(String(repeating: "x", count: 200_000))"}"#])
        let error = try await updates([large], type: "multipart/mixed") { $0.partLimit = 1000 }.error
        #expect(error?.kind == .tooLarge(limit: 1000))
    }

    @Test("G3 the first payload may already have patches, completed places and errors")
    func firstPayload() async throws {
        let parts = [
            #"{"data":{"viewer":{"articles":[]}},"pending":[{"id":"0","path":["viewer"]}],"#
                + #""incremental":[{"id":"0","data":{"name":"Ann"}}],"#
                + #""completed":[{"id":"0","errors":[{"message":"cut"}]}],"hasNext":true}"#,
            #"{"hasNext":false}"#,
        ]
        let (names, error) = try await updates([Self.mixed(parts)], type: "multipart/mixed")
        #expect(names == ["Ann cut", "Ann cut."])
        #expect(error == nil)
    }

    @Test("G3 the oldest form of @stream has one element of a list, also one that is no object or null")
    func oldestStream() async throws {
        struct Tags: Decodable, Sendable { let tags: [String?] }
        let parts = [
            #"{"data":{"tags":["a"]},"hasNext":true}"#, #"{"path":["tags",1],"data":"b","hasNext":true}"#,
            #"{"path":["tags",2],"data":null,"errors":[{"message":"c"}],"hasNext":true}"#, #"{"hasNext":false}"#,
        ]
        let fixture = try await Fixture { _ in .chunks([Self.mixed(parts)], contentType: "multipart/mixed") }
        var last: GraphQLUpdate<Tags>?
        for try await update in fixture.graphQL.updates(for: GraphQLOperation<Tags>.query("{ tags @stream }")) {
            last = update
        }
        #expect(last?.value.tags == ["a", "b", nil] && last?.errors.count == 1)
    }

    @Test("G3 numbers keep their digits when parts are merged")
    func numbers() async throws {
        struct Prices: Decodable, Sendable {
            struct Item: Decodable, Sendable {
                let price: Decimal
                let big: UInt64?
            }
            let item: Item
        }
        let parts = [
            #"{"data":{"item":{"price":0.12345678901234567891}},"hasNext":true}"#,
            #"{"incremental":[{"path":["item"],"data":{"big":18446744073709551615}}],"hasNext":false}"#,
        ]
        let fixture = try await Fixture { _ in .chunks([Self.mixed(parts)], contentType: "multipart/mixed") }
        var last: Prices?
        for try await update in fixture.graphQL.updates(for: GraphQLOperation<Prices>.query("{ item { price } }")) {
            last = update.value
        }
        #expect(last?.item.price == Decimal(string: "0.12345678901234567891"))
        #expect(last?.item.big == .max)
    }

    @Test("G3 patches that nest deeper with each part are refused, and don't exhaust the stack")
    func depth() async throws {
        let nest = String(repeating: #"{"a":"#, count: 400) + "{}" + String(repeating: "}", count: 400)
        let step = Array(repeating: #""a""#, count: 400)
        let parts =
            [#"{"data":{"viewer":null,"a":{}},"hasNext":true}"#]
            + (0..<120).map { round in
                let path = [#""a""#] + Array(repeating: step, count: round).flatMap(\.self)
                return #"{"incremental":[{"path":[\#(path.joined(separator: ","))],"data":\#(nest)}],"hasNext":true}"#
            }
        let (_, error) = try await updates([Self.mixed(parts)], type: "multipart/mixed")
        #expect(error?.kind == .transport(.protocolViolation("the server sent a patch nested too deeply")))
    }
}
