#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// The changes of all articles, as they happen.
struct NewsView: View {
    private let news: LiveFeed<ArticleNews>

    init(_ news: LiveFeed<ArticleNews>) {
        self.news = news
    }

    var body: some View {
        List {
            ForEach(news.elements.reversed(), id: \.number) { Text(verbatim: "\($0.title): \($0.kind.rawValue)") }
        }
        .overlay {
            if case .ended(let error) = news.state {
                VStack {
                    Text(verbatim: error?.userMessage ?? "")
                    Button("Connect again") { Task { await news.run() } }
                }
            } else if news.elements.isEmpty {
                Text(news.isOpen ? "Changes appear here." : "Connecting")
            }
        }
        .navigationTitle("Live")
    }
}
#endif
