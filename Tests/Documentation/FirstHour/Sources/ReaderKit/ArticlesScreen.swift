import Godwit
import GodwitUI
import Observation

@Observable @MainActor
public final class ArticlesScreen {
    public let list: PageLoader<Article>

    public init(_ api: APIClient) {
        list = PageLoader(api.pages(.numbers { .articles(page: $0) }))
    }
}
