#if canImport(SwiftUI)
public import GodwitCore
public import SwiftUI

/// Shows an error message with a retry button. The default of the failure slots.
///
/// Shows ``NetworkError/userMessage``: the server's message if it was written for people, otherwise a sentence of
/// ``UserMessages/current``, which also has the button's title. Shows nothing for a cancellation.
///
/// ```swift
/// ErrorView(error) { await model.article.retry() }
/// ```
public struct ErrorView: View {
    private let error: NetworkError
    private let placement: LoadFailure.Placement
    private let retry: (@MainActor @Sendable () async -> Void)?

    /// Shows an error.
    ///
    /// - Parameter retry: The action of the button; `nil` means no button.
    public init(_ error: NetworkError, retry: (@MainActor @Sendable () async -> Void)? = nil) {
        self.error = error
        self.retry = retry
        placement = .alone
    }

    /// Shows the failure of a slot: alone, or in one line next to the content.
    public init(_ failure: LoadFailure) {
        error = failure.error
        retry = failure.retry
        placement = failure.placement
    }

    /// The message and the button; nothing for an error without a message.
    public var body: some View {
        if let message = error.userMessage {
            switch placement {
            case .alone:
                VStack(spacing: 12) { parts(message) }.padding()
            case .nextToContent:
                HStack(spacing: 12) { parts(message) }
                    .padding(8)
                    .frame(maxWidth: .infinity)
                    .background(.regularMaterial)
            }
        }
    }

    @ViewBuilder private func parts(_ message: String) -> some View {
        Image(systemName: "exclamationmark.triangle").foregroundStyle(.secondary).accessibilityHidden(true)
        Text(verbatim: message)
        if let retry {
            Button {
                Task { await retry() }
            } label: {
                Text(verbatim: UserMessages.current[.tryAgain])
            }
            // With the default style, a row of a List would take the taps.
            .buttonStyle(.borderless)
        }
    }
}
#endif
