#if canImport(SwiftUI)
import GodwitCore
public import SwiftUI

/// A spinner with a label for VoiceOver. The default of the loading slots.
public struct LoadingView: View {
    /// Creates a spinner.
    public init() {}

    /// The spinner.
    public var body: some View {
        ProgressView()
            .padding()
            .accessibilityLabel(Text(verbatim: UserMessages.current[.loading]))
    }
}

/// A sentence for a list without elements. The default of the empty slots.
public struct EmptyContentView: View {
    private let message: String?

    /// Creates a sentence.
    ///
    /// - Parameter message: The sentence; `nil` (the default) means `UserMessages.Key.nothingHere`.
    public init(_ message: String? = nil) {
        self.message = message
    }

    /// The sentence.
    public var body: some View {
        VStack(spacing: 12) {
            Image(systemName: "tray").accessibilityHidden(true)
            Text(verbatim: message ?? UserMessages.current[.nothingHere])
        }
        .foregroundStyle(.secondary)
        .padding()
    }
}

/// A button that loads an image again. The default of the failure slot of ``CachedImage``.
public struct ImageFailureView: View {
    private let failure: LoadFailure

    /// Creates a button.
    public init(_ failure: LoadFailure) {
        self.failure = failure
    }

    /// The button.
    public var body: some View {
        Button { [retry = failure.retry] in
            Task { await retry() }
        } label: {
            Image(systemName: "arrow.clockwise").foregroundStyle(.secondary)
        }
        .accessibilityLabel(Text(verbatim: UserMessages.current[.imageFailed]))
        .accessibilityHint(Text(verbatim: UserMessages.current[.tryAgain]))
    }
}
#endif
