import Godwit

enum FirstHourSnippets {
    static func failing(_ api: APIClient) async {
        // snippet: hour-error
        do throws(NetworkError) {
            print(try await api.send(.article(id: 4200)).title)
        } catch {
            print(error)
            print(error.userMessage ?? "")
        }
        // end
    }

    static func list(_ api: APIClient) async throws {
        // snippet: hour-list
        for try await article in api.pages(.numbers { .articles(page: $0) }).elements {
            print(article.id, article.title)
        }
        // end
    }

    static func download(_ api: APIClient) async throws {
        // snippet: hour-download
        let download = api.download(.export, to: URL(filePath: "export.ndjson")) { $0.existingFile = .replace }
        print(try await download.file.path)
        // end
    }
}
