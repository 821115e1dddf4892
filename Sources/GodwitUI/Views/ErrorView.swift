#if canImport(SwiftUI)
public import GodwitCore
public import SwiftUI

/// Shows an error message with a retry button.
///
/// Shows ``NetworkError/userMessage``: the server's message if it was written for people, otherwise a sentence of
/// ``UserMessages/current``, which also has the button's title. Shows nothing for a cancellation.
///
/// ```swift
/// ErrorView(error) { await model.article.retry() }
/// ```
public struct ErrorView: View {
    private let error: NetworkError
    private let retry: (@MainActor @Sendable () async -> Void)?

    /// Shows an error.
    ///
    /// - Parameter retry: The action of the button; `nil` means no button.
    public init(_ error: NetworkError, retry: (@MainActor @Sendable () async -> Void)? = nil) {
        self.error = error
        self.retry = retry
    }

    /// The message and the button; nothing for an error without a message.
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
