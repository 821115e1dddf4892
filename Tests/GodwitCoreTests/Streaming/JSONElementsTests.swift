import GodwitCore
import Synchronization
import Testing

@Suite("J2 elements of a streamed array", .timeLimit(.minutes(15)))
struct JSONElementsTests {
    private struct Row: Codable, Sendable, Hashable {
        var rowId: Int
        var tags: [String] = []
    }

    private func collect<Elements: AsyncSequence>(_ elements: Elements) async throws -> [Elements.Element] {
        var collected: [Elements.Element] = []
        for try await element in elements { collected.append(element) }
        return collected
    }

    /// A client whose transport streams these chunks.
    private func api(_ chunks: [String], status: HTTPStatus = .ok, json: JSONCoding? = nil) -> (
        APIClient, ScriptedTransport
    ) {
        let body = HTTPBody.stream { Chunks(chunks) }
        let transport = ScriptedTransport { request throws(NetworkError) in
            HTTPResponse(head: .init(status: status), body: body, request: request)
        }
        let api = APIClient(baseURL: "https://api.example.com/v1", transport: transport) {
            $0.json = json ?? JSONCoding()
        }
        return (api, transport)
    }

    private func failure<Elements: AsyncSequence>(_ elements: Elements) async -> NetworkError?
    where Elements.Failure == NetworkError {
        do throws(NetworkError) {
            for try await _ in elements {}
            return nil
        } catch {
            return error
        }
    }

    @Test("J2 the elements are decoded with the client's coding, whatever surrounds them")
    func coding() async throws {
        let chunks = [
            #"{"total":2,"data":{"items":[{"row_"#, #"id":1,"tags":["a"]},{"row_id":2,"tags":[]}"#, "]},\"z\":0}",
        ]
        let (api, transport) = api(chunks, json: JSONCoding(keys: .snakeCase))
        let rows = try await collect(api.stream(.export).elements(of: Row.self, at: "data.items"))
        #expect(rows == [Row(rowId: 1, tags: ["a"]), Row(rowId: 2)])
        guard case .streamed? = transport.requests.first?.delivery else {
            Issue.record("the response was not streamed")
            return
        }
    }

    @Test("J2 the document itself can be the array, of any type of element")
    func root() async throws {
        let (api, _) = api(["[1,", "2", "2,3]"])
        #expect(try await collect(api.stream(.export).elements(of: Int.self)) == [1, 22, 3])
        let body = HTTPBody.stream { Chunks([#"["a",null]"#]) }
        #expect(try await collect(body.elements(of: String?.self, coding: JSONCoding())) == ["a", nil])
    }

    @Test(
        "J3 an element that can't be decoded is named by its path",
        arguments: [
            ("data.items", #"{"data":{"items":[#]}}"#, #"field `data.items[1].id`: expected an integer, found "x""#),
            ("", "[#]", #"field `[1].id`: expected an integer, found "x""#),
            ("[0]", "[[#]]", #"field `[0][1].id`: expected an integer, found "x""#),
            ("tokens", #"{"tokens":[#]}"#, "field `tokens[1].id`: the value is not valid"),
        ])
    func wrongElement(_ path: String, _ document: String, _ description: String) async throws {
        let elements = #"{"id":1,"title":"a"},{"id":"x","title":"b"},{"id":3,"title":"c"}"#
        let (api, _) = api([document.replacing("#", with: elements)])
        var iterator = api.stream(.export).elements(of: Article.self, at: path).makeAsyncIterator()
        #expect(try await iterator.next()?.id == 1)
        do throws(NetworkError) {
            _ = try await iterator.next()
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.description == description)
            #expect((error.underlying as? DecodingError) != nil)
        }
        // A loop would have ended.
        #expect(try await iterator.next()?.id == 3)
        #expect(try await iterator.next() == nil)
    }

    @Test(
        "J3 an element that is of another type as a whole is named by its index",
        arguments: [
            ("1", "field `items[0]`: expected a string, found 1"),
            ("[2]", "field `items[0]`: expected a string, found an array"),
        ])
    func wrongWhole(_ element: String, _ description: String) async {
        let (api, _) = api(["{\"items\":[\(element)]}"])
        let error = await failure(api.stream(.export).elements(of: String.self, at: "items"))
        #expect(error?.description == description)
    }

    @Test(
        "J3 a missing array, another value in its place, and text that isn't JSON say so",
        arguments: [
            (#"{"item":[]}"#, "field `items`: missing; there is `item`"),
            (#"{"items":null}"#, "field `items`: expected an array, found null"),
            ("[]", "decoding: expected an object, found an array"),
            (#"{"items":[1,2]"#, #"decoding: the body is not valid JSON: expected "," or "}" (line 1, column 15)"#),
            (
                #"{"items":[1,2]}{"#,
                "decoding: the body is not valid JSON: expected the end of the document (line 1, column 16)"
            ),
            ("<html>", "decoding: the body is not valid JSON: expected a value (line 1, column 1)"),
            ("", "decoding: empty body"),
        ])
    func wrongDocument(_ document: String, _ description: String) async {
        let (api, _) = api([document])
        let error = await failure(api.stream(.export).elements(of: Int.self, at: "items"))
        #expect(error?.description == description)
        #expect(error?.phase == .decoding)
        guard case .decoding? = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("J3 a path that can't be parsed throws before anything is sent")
    func wrongPath() async {
        let (api, transport) = api(["[]"])
        let error = await failure(api.stream(.export).elements(of: Int.self, at: "a..b"))
        #expect(error?.kind == .invalidRequest(reason: "`a..b` is not a path: a key is empty"))
        #expect(transport.requests.isEmpty)
    }

    @Test("J2 an element over the limit throws .tooLarge, and ends the transfer")
    func tooLarge() async throws {
        let arriving = ArrivingBody()
        arriving.send(#"["short","far too"#)
        let body = arriving.take()
        var iterator = body.elements(of: String.self, coding: JSONCoding(), limit: 8).makeAsyncIterator()
        #expect(try await iterator.next() == "short")
        arriving.send(" long")
        do throws(NetworkError) {
            _ = try await iterator.next()
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.kind == .tooLarge(limit: 8))
        }
        #expect(try await iterator.next() == nil)
    }

    @Test("J2 elements come as soon as they are complete, and leaving the loop ends the transfer")
    func leaving() async throws {
        let arriving = ArrivingBody()
        arriving.send(#"{"items":[1,2"#)
        let transport = ScriptedTransport { request throws(NetworkError) in
            HTTPResponse(head: .init(status: .ok), body: arriving.take(), request: request)
        }
        func first() async throws(NetworkError) -> Int? {
            for try await number in articles(transport).stream(.export).elements(of: Int.self, at: "items") {
                return number
            }
            return nil
        }
        #expect(try await first() == 1)
        #expect(arriving.isAbandoned)
    }

    @Test("J2 an error of the document ends the transfer, though the loop's iterator still exists")
    func broken() async throws {
        let arriving = ArrivingBody()
        arriving.send("[1}")
        let transport = ScriptedTransport { request throws(NetworkError) in
            HTTPResponse(head: .init(status: .ok), body: arriving.take(), request: request)
        }
        var iterator = articles(transport).stream(.export).elements(of: Int.self).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(arriving.isAbandoned)
        #expect(try await iterator.next() == nil)
    }

    @Test("J2 canceling the task ends the loop with .cancelled")
    func canceled() async throws {
        let arriving = ArrivingBody()
        arriving.send("[1,")
        let body = arriving.take()
        let task = Task { () -> NetworkError? in
            do throws(NetworkError) {
                for try await _ in body.elements(of: Int.self, coding: JSONCoding()) {}
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        #expect(arriving.isAbandoned)
    }

    @Test("J2 an error during the transfer comes after the elements before it; each loop sends its own request")
    func brokenOff() async throws {
        let arriving = ArrivingBody()
        arriving.send("[1,2,")
        arriving.finish(NetworkError(.transport(.connectionLost("gone")), phase: .receiving))
        var numbers: [Int] = []
        do throws(NetworkError) {
            for try await number in arriving.take().elements(of: Int.self, coding: JSONCoding()) {
                numbers.append(number)
            }
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.kind == .transport(.connectionLost("gone")))
        }
        #expect(numbers == [1, 2])
        let (api, transport) = api(["[1]"])
        let elements = api.stream(.export).elements(of: Int.self)
        #expect(transport.requests.isEmpty)
        #expect(try await collect(elements) == [1])
        #expect(try await collect(elements) == [1])
        #expect(transport.requests.count == 2)
    }

    @Test("J2 64 MiB are read chunk by chunk: no chunk is taken before the elements of the last one")
    func backPressure() async throws {
        let text = String(repeating: "a", count: 64 << 10)
        let source = CountedChunks(first: "{\"items\":[\"", repeated: "\(text)\",\"", count: 1024, last: "\"]}")
        let body = HTTPBody.stream { source }
        var count = 0
        for try await element in body.elements(of: String.self, at: "items", coding: JSONCoding()) {
            count += 1
            #expect(source.taken.load(ordering: .relaxed) <= count + 1)
            #expect(count > 1024 ? element.isEmpty : element.utf8.count == 64 << 10)
        }
        #expect(count == 1025)
    }
}

/// Chunks that are made when they are taken, and counted.
private final class CountedChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let taken = Atomic(0)
    private let first: Data
    private let repeated: Data
    private let count: Int
    private let last: Data

    init(first: String, repeated: String, count: Int, last: String) {
        (self.first, self.repeated, self.last) = (Data(first.utf8), Data(repeated.utf8), Data(last.utf8))
        self.count = count
    }

    func makeAsyncIterator() -> Iterator { Iterator(source: self) }

    struct Iterator: AsyncIteratorProtocol {
        let source: CountedChunks

        mutating func next() async -> Data? {
            let index = source.taken.wrappingAdd(1, ordering: .relaxed).oldValue
            if index == 0 { return source.first }
            if index <= source.count { return source.repeated }
            return index == source.count + 1 ? source.last : nil
        }
    }
}
