import ContentReaderKit
import Godwit
import GodwitTesting
import Testing

@Suite("E9 repository and closure client", .timeLimit(.minutes(15)))
struct PatternTests {
    private let api = APIClient(
        baseURL: "https://reader.test",
        transport: MockTransport {
            $0.get("/articles/42").reply(
                json: [
                    "id": 42, "title": "Mudflats", "body": "", "tags": [], "author_id": 7,
                    "updated_at": "2026-11-21T10:00:00Z",
                ])
            $0.any("*").reply(.status(.notFound))
        },
        preset: .content)

    @Test("E9 a repository works with a mock transport")
    func repository() async throws {
        let articles = ArticleRepository(api)
        #expect(try await articles.articles([42, 42]).map(\.title) == ["Mudflats", "Mudflats"])
        let error = await #expect(throws: NetworkError.self) { try await articles.remove(1) }
        #expect(error?.kind == .notFound)
    }

    @Test("E9 one operation of a closure client is replaced without a transport; the others stay")
    func closures() async throws {
        var articles = ArticleClient.live(api)
        articles.remove = { _ throws(NetworkError) in throw NetworkError(.forbidden, phase: .validating) }
        #expect(try await articles.load(42).authorId == 7)
        let error = await #expect(throws: NetworkError.self) { try await articles.remove(42) }
        #expect(error?.kind == .forbidden)
    }
}
