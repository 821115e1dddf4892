#if canImport(SwiftUI)
public import SwiftUI

/// Shows a banner while offline.
///
/// ```swift
/// content.safeAreaInset(edge: .top) { OfflineBanner(connectivity) }
/// ```
public struct OfflineBanner: View {
    private let connectivity: ConnectivityModel

    /// Creates a banner.
    ///
    /// - Parameter connectivity: The connectivity model; use one for the app.
    public init(_ connectivity: ConnectivityModel) {
        self.connectivity = connectivity
    }

    /// The banner, or nothing if there is a network.
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
