#if canImport(SwiftUI)
import GodwitCore
public import SwiftUI

/// Shows a banner while offline.
///
/// ```swift
/// content.safeAreaInset(edge: .top) { OfflineBanner(connectivity) }
/// ```
public struct OfflineBanner<Content: View>: View {
    private let connectivity: ConnectivityModel
    private let content: () -> Content

    /// Creates a banner that is visible without a network.
    ///
    /// - Parameters:
    ///   - connectivity: The connectivity model; use one for the app.
    ///   - content: The banner; by default a line with the sentence `UserMessages.Key.bannerOffline`.
    public init(
        _ connectivity: ConnectivityModel, @ViewBuilder content: @escaping () -> Content = { OfflineLabel() }
    ) {
        self.connectivity = connectivity
        self.content = content
    }

    /// The banner, or nothing if there is a network.
    public var body: some View {
        if !connectivity.isOnline { content() }
    }
}

/// A line that tells that the device is offline: the default of ``OfflineBanner``.
public struct OfflineLabel: View {
    /// Creates a line with the sentence `UserMessages.Key.bannerOffline`.
    public init() {}

    /// The sentence on a material, which is readable in light and dark mode.
    public var body: some View {
        HStack(spacing: 8) {
            Image(systemName: "wifi.slash").accessibilityHidden(true)
            Text(verbatim: UserMessages.current[.bannerOffline])
        }
        .padding(8)
        .frame(maxWidth: .infinity)
        .background(.regularMaterial)
    }
}
#endif
