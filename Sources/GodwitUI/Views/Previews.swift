#if canImport(SwiftUI)
import GodwitCore
import SwiftUI
import Synchronization

// Mock data: nothing here uses a network. `#Preview` would need a macro of Xcode, which Linux doesn't have to check it.

private struct Bird: Identifiable, Sendable {
    let id: Int
    var name: String { "Bird \(id)" }
}

private let failure = NetworkError(.server(status: 503), phase: .validating)

@MainActor private func birds(_ pages: Int) -> PageLoader<Bird> {
    PageLoader(
        .numbers { number in
            guard pages > 0 else { throw failure }
            return number > pages ? [] : (number * 20..<number * 20 + 20).map { Bird(id: $0) }
        })
}

struct InfiniteList_Previews: PreviewProvider {
    private static let full = birds(5)
    private static let broken = birds(0)

    static var previews: some View {
        InfiniteList(full) { Text(verbatim: $0.name) }
        InfiniteList(broken) { Text(verbatim: $0.name) }
    }
}

struct AsyncContentView_Previews: PreviewProvider {
    private static let loaded = Loader { [Bird(id: 1)] }
    private static let empty = Loader { [Bird]() }
    private static let broken = Loader<[Bird]> { throw failure }
    private static let outdated = Loader([Bird(id: 1)], thenFailing: failure)

    static var previews: some View {
        AsyncContentView(loaded) { Text(verbatim: $0.first?.name ?? "") }
        AsyncContentView(empty) { Text(verbatim: $0.first?.name ?? "") }
        AsyncContentView(broken) { Text(verbatim: $0.first?.name ?? "") }
        // A refresh fails, and the content stays.
        AsyncContentView(outdated) { Text(verbatim: $0.first?.name ?? "") }
            .task {
                await outdated.load()
                await outdated.refresh()
            }
    }
}

extension Loader {
    /// A loader whose first load succeeds.
    fileprivate convenience init(_ value: Value, thenFailing error: NetworkError) {
        let isLoaded = Atomic(false)
        self.init {
            guard !isLoaded.exchange(true, ordering: .relaxed) else { throw error }
            return value
        }
    }
}

/// Answers no request, or fails each.
private struct PreviewTransport: HTTPTransport {
    let isFailing: Bool

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        if !isFailing { try? await Task.sleep(for: .seconds(3600)) }
        throw failure
    }
}

struct CachedImage_Previews: PreviewProvider {
    private static func images(isFailing: Bool) -> ImageLoader<Image> {
        ImageLoader(
            APIClient(baseURL: "https://api.example.com", transport: PreviewTransport(isFailing: isFailing)))
    }

    private static let waiting = images(isFailing: false)
    private static let broken = images(isFailing: true)
    private static let url = "https://api.example.com/bird.jpg"

    static var previews: some View {
        CachedImage(url, from: waiting) { $0.resizable() }
        CachedImage(url, from: broken) { $0.resizable() }
        CachedImage(url, from: broken, points: CGSize(width: 80, height: 80), label: Text(verbatim: "A bird")) {
            $0.resizable()
        } placeholder: {
            LoadingView()
        } failure: { _ in
            Text(verbatim: "No picture")
        }
    }
}

struct StateViews_Previews: PreviewProvider {
    private static let offline = ConnectivityModel(PathFeed(.unsatisfied))

    static var previews: some View {
        OfflineBanner(offline)
        ErrorView(LoadFailure(failure, placement: .nextToContent) {})
        ErrorView(failure) {}
        ImageFailureView(LoadFailure(failure) {})
        LoadingView()
        EmptyContentView()
    }
}
#endif
