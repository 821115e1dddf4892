// expect: incorrect argument label in call (have 'pag:', expected 'page:')
import Godwit

struct Article: Decodable { let id: Int }

extension Endpoint {
    static func articles(page: Int) -> Endpoint<[Article]> { .get("articles", query: ["page": page]) }
}

func program(api: APIClient) async throws {
    for try await article in api.pages(.numbers { .articles(pag: $0) }).elements { print(article.id) }
}
