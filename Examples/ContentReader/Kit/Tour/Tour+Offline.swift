import Godwit
import GodwitUI

nonisolated extension Tour {
    static let offlineSteps = [
        TourStep(name: "outbox") { api in
            let article = try await api.send(
                .create(ArticleDraft(title: "Ebb", body: "Low.", tags: ["sea"], authorId: 1)))
            let folder = FileManager.default.temporaryDirectory.appending(
                path: "outbox-\(UInt64.random(in: .min ... .max))")
            defer { try? FileManager.default.removeItem(at: folder) }
            try await Self.editOffline(article, in: folder)
            let before = try await api.send(.article(id: article.id))
            try expect(before.title == "Ebb", "the server has it already: \(before.title)")
            let count = try await Self.sendKept(by: api, in: folder)
            let after = try await api.send(.article(id: article.id))
            try expect(after.title == "Flood" && count == 1, "\(count) were kept, the title is \(after.title)")
            return "an edit without a server is kept in a file, and sent by the next launch"
        }
    ]

    /// A launch that doesn't reach the server.
    @MainActor private static func editOffline(_ article: Article, in folder: URL) async throws {
        let nowhere = APIClient(baseURL: "http://127.0.0.1:1", preset: .content) { $0.retry.maximumAttempts = 1 }
        let outbox = try outbox(nowhere, in: folder)
        var form = ArticleForm(article)
        form.title = "Flood"
        try await outbox.add(EditArticle(article, form))
        await outbox.close()
    }

    /// A launch that does. Returns how many changes it sends.
    @MainActor private static func sendKept(by api: APIClient, in folder: URL) async throws -> Int {
        let outbox = try outbox(api, in: folder)
        let count = outbox.items.count
        await outbox.sendNow()
        await outbox.close()
        return count
    }

    @MainActor private static func outbox(_ api: APIClient, in folder: URL) throws(NetworkError) -> Outbox {
        try Outbox(QueryStore(api), in: folder, for: "ada", sending: [EditArticle.self])
    }
}
