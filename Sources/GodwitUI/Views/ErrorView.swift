#if canImport(SwiftUI)
public import GodwitCore
public import SwiftUI

/// Says what went wrong, in words for a person, and offers to try again.
///
/// Shows ``NetworkError/userMessage``: what the server said if it was meant for people, else a sentence of
/// ``UserMessages/current``, in whose language the button is too. Shows nothing for a cancellation.
///
/// ```swift
/// ErrorView(error) { await model.article.retry() }
/// ```
public struct ErrorView: View {
    private let error: NetworkError
    private let retry: (@MainActor @Sendable () async -> Void)?

    /// Shows an error.
    ///
    /// - Parameter retry: What the button does; nil for no button.
    public init(_ error: NetworkError, retry: (@MainActor @Sendable () async -> Void)? = nil) {
        self.error = error
        self.retry = retry
    }

    /// The words, and the button where there is one; nothing for an error without words.
    public var body: some View {
        if let message = error.userMessage {
            VStack(spacing: 12) {
                Image(systemName: "exclamationmark.triangle")
                Text(verbatim: message)
                if let retry {
                    Button {
                        Task { await retry() }
                    } label: {
                        Text(verbatim: UserMessages.current[.tryAgain])
                    }
                }
            }
            .padding()
        }
    }
}
#endif
