#if canImport(SwiftUI)
import GodwitCore
import SwiftUI

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

    static var previews: some View {
        AsyncContentView(loaded) { Text(verbatim: $0.first?.name ?? "") }
        AsyncContentView(empty) { Text(verbatim: $0.first?.name ?? "") }
        AsyncContentView(broken) { Text(verbatim: $0.first?.name ?? "") }
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
