import Godwit
import GodwitGraphQL
import GodwitTesting
import TestSupport
import Testing

@Suite("G3 batches and uploads", .timeLimit(.minutes(15)))
struct SharedRequestTests {
    private static let answer = #"{"data":{"viewer":{"name":"Ann"}}}"#

    @Test("G3 queries of one moment share a request, and each answer goes to its caller")
    func batch() async throws {
        let fixture = try await Fixture(options: { $0.batching = GraphQLBatching(window: .seconds(60), limit: 5) }) {
            request in
            guard case .array(let operations) = try request.json() else { return .status(.badRequest) }
            let results: [JSONValue] = operations.map { operation in
                operation["variables"]?["first"] == 3
                    ? ["errors": [["message": "three"]]]
                    : ["data": ["viewer": ["name": .string("\(operation["variables"]?["first"] ?? nil)")]]]
            }
            return .json(.array(results))
        }
        let outcomes = await withTaskGroup(of: (Int, String?).self) { group in
            for first in 0..<10 {
                group.addTask {
                    do throws(NetworkError) {
                        return (first, try await fixture.graphQL.send(.viewer(first: first)).viewer?.name)
                    } catch {
                        return (first, error.graphQLErrors.first?.message)
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for first in 0..<10 { #expect(outcomes[first] == (first == 3 ? "three" : "integer(\(first))")) }
        #expect(fixture.server.requestCount == 2)
    }

    @Test("G3 a batch with too few answers fails for all, and a canceled caller leaves without the others")
    func badBatch() async throws {
        let fixture = try await Fixture(options: { $0.batching = GraphQLBatching(window: .seconds(60), limit: 3) }) {
            _ in
            .json([["data": ["viewer": nil]]])
        }
        let canceled = Task { try await fixture.graphQL.send(.viewer(first: 0)) }
        canceled.cancel()
        #expect(await canceled.result.error?.kind == .cancelled)
        let errors = await withTaskGroup(of: NetworkError?.self) { group in
            for first in 0..<3 {
                group.addTask {
                    await failure { () throws(NetworkError) in
                        try await fixture.graphQL.send(.viewer(first: first))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.allSatisfy { $0?.description.contains("1 results for a batch of 3") == true }, "\(errors)")
        #expect(fixture.server.requestCount == 1)
    }

    @Test("G3 each query gets an answer while others join, leave and fill batches at the same moment")
    func manyInterleavings() async throws {
        let transport = MockTransport { request in
            guard case .array(let operations)? = try? request.json() else { return .status(.badRequest) }
            return .json(
                .array(
                    operations.map { ["data": ["viewer": ["name": .string("\($0["variables"]?["first"] ?? nil)")]]] }))
        }
        let graphQL = GraphQLClient(APIClient(baseURL: "https://api.example.com", transport: transport)) {
            $0.batching = GraphQLBatching(window: .microseconds(50), limit: 3)
        }
        for round in 0..<100 {
            let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
                for first in 0..<8 {
                    group.addTask {
                        let isLeft = (first + round) % 3 == 0
                        let task = Task { try await graphQL.send(.viewer(first: first)).viewer?.name }
                        if isLeft {
                            await Task.yield()
                            task.cancel()
                        }
                        switch await task.result {
                        case .success(let name): return (first, name == "integer(\(first))")
                        case .failure(let error): return (first, isLeft && (error as? NetworkError)?.kind == .cancelled)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let wrong = outcomes.filter { !$0.1 }.map(\.0)
            #expect(wrong.isEmpty, "round \(round): \(wrong)")
        }
    }

    @Test("G3 a query that joins a batch while its only other caller leaves is sent")
    func joiningWhileLeaving() async throws {
        let transport = MockTransport { _ in .json([["data": ["viewer": ["name": "kept"]]]]) }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<4 {
                group.addTask {
                    let graphQL = GraphQLClient(api) {
                        $0.batching = GraphQLBatching(window: .microseconds(200), limit: 2)
                    }
                    for round in 0..<150 {
                        let left = Task { try? await graphQL.send(.viewer(first: 0)) }
                        for _ in 0..<(round + lane) % 4 { await Task.yield() }
                        let kept = Task { try await graphQL.send(.viewer(first: 1)) }
                        for _ in 0..<round % 3 { await Task.yield() }
                        left.cancel()
                        switch await kept.result {
                        case .success(let data): #expect(data.viewer?.name == "kept")
                        // Both were sent together: then there are too few answers for both.
                        case .failure(let error): #expect("\(error)".contains("1 results for a batch of 2"))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("G3 a subscription can't have files, and says so")
    func subscriptionUpload() async throws {
        let fixture = try await Fixture { _ in .status(.notFound) }
        let subscription = GraphQLSubscription<ViewerData>.subscription(
            "subscription ($f: [Upload!]!) { viewer(f: $f) { name } }",
            variables: ["f": [GraphQLUpload(data: Data(), fileName: "a")]])
        let error = await failure { () throws(NetworkError) in
            for try await _ in fixture.graphQL.subscribe(subscription) {}
        }
        guard case .encoding(let reason)? = error?.kind else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(reason.contains("variables.f.0"))
        #expect(fixture.server.requestCount == 0)
    }

    @Test("G3 files in variables are sent as a form with operations and a map, streamed")
    func uploads() async throws {
        struct Input: Encodable, Sendable {
            let title: String
            let image: GraphQLUpload
        }
        let folder = TemporaryFolder()
        let file = folder.url.appendingPathComponent("tide.png")
        try Data("image".utf8).write(to: file)
        let fixture = try await Fixture { _ in .graphQL(Self.answer) }
        let input = Input(title: "T", image: GraphQLUpload(file: file))
        let more = [GraphQLUpload(data: Data("b".utf8), fileName: "b.txt", type: .text)]
        let operation = GraphQLOperation<ViewerData>.mutation(
            "mutation ($input: I!, $more: [Upload!]!) { viewer: add(input: $input, more: $more) { name } }",
            variables: ["input": input, "more": more])
        _ = try await fixture.graphQL.send(operation)
        let request = fixture.server.requests[0]
        #expect(request.fields[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        let text = request.text
        #expect(text.contains(#""variables":{"input":{"image":null,"title":"T"},"more":[null]}"#))
        #expect(text.contains(#"{"0":["variables.input.image"],"1":["variables.more.0"]}"#))
        #expect(text.contains(#"name="0"; filename="tide.png""#))
        #expect(text.contains("image/png\r\n\r\nimage\r\n"))
        let missing = GraphQLOperation<ViewerData>.mutation(
            "mutation ($f: Upload!) { viewer { name } }",
            variables: ["f": GraphQLUpload(file: folder.url.appendingPathComponent("none"))])
        let error = await failure { () throws(NetworkError) in try await fixture.graphQL.send(missing) }
        guard case .file? = error?.kind else {
            Issue.record("\(error as Any)")
            return
        }
    }

    @Test("G3 an upload outside of an operation's variables can't be encoded")
    func strayUpload() {
        let upload = GraphQLUpload(data: Data(), fileName: "a")
        #expect(throws: NetworkError.self) { try JSONCoding().encode(upload) }
    }
}

extension Result where Failure == any Error {
    fileprivate var error: NetworkError? {
        if case .failure(let error) = self { error as? NetworkError } else { nil }
    }
}
