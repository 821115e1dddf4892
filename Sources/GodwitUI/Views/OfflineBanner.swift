#if canImport(SwiftUI)
public import SwiftUI

/// Says that there is no network, for as long as that is so.
///
/// ```swift
/// content.safeAreaInset(edge: .top) { OfflineBanner(connectivity) }
/// ```
public struct OfflineBanner: View {
    private let connectivity: ConnectivityModel

    /// Shows the banner by a model, which one place of the app holds.
    ///
    /// - Parameter connectivity: Knows whether there is a network.
    public init(_ connectivity: ConnectivityModel) {
        self.connectivity = connectivity
    }

    /// The words, or nothing where there is a network.
    public var body: some View {
        if !connectivity.isOnline {
            Label("You are offline", systemImage: "wifi.slash")
                .padding(8)
                .frame(maxWidth: .infinity)
                .background(.yellow)
        }
    }
}
#endif
