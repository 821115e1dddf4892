#if canImport(SwiftUI)
import GodwitCore
public import SwiftUI

/// A spinner with a label for VoiceOver. The default of the loading slots.
public struct LoadingView: View {
    /// Creates a spinner, which is labeled for VoiceOver.
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
    private let message: Text?

    /// Creates a sentence from `UserMessages.Key.nothingHere`.
    public init() {
        message = nil
    }

    /// Creates a sentence from the app's localized strings.
    public init(_ key: LocalizedStringKey) {
        message = Text(key)
    }

    /// Creates a sentence from a text, such as `Text(verbatim: name)`.
    public init(_ message: Text) {
        self.message = message
    }

    /// The sentence.
    public var body: some View {
        VStack(spacing: 12) {
            Image(systemName: "tray").accessibilityHidden(true)
            message ?? Text(verbatim: UserMessages.current[.nothingHere])
        }
        .foregroundStyle(.secondary)
        .padding()
    }
}

/// A gray area. The default of the placeholder slot of ``CachedImage``.
public struct ImagePlaceholderView: View {
    /// Creates a gray area.
    public init() {}

    /// The area.
    public var body: some View {
        Color.gray.opacity(0.2).accessibilityHidden(true)
    }
}

/// A button that loads an image again. The default of the failure slot of ``CachedImage``.
public struct ImageFailureView: View {
    private let failure: LoadFailure

    /// Creates a button that retries a failed image.
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
        // With the default style, a row of a List would take the taps.
        .buttonStyle(.borderless)
        .accessibilityLabel(Text(verbatim: UserMessages.current[.imageFailed]))
        .accessibilityHint(Text(verbatim: UserMessages.current[.tryAgain]))
    }
}
#endif
