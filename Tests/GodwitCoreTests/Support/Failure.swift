import GodwitCore
import Testing

/// The error that an operation throws; records an issue where it throws none.
func failure(
    of operation: () async throws(NetworkError) -> some Any, sourceLocation: SourceLocation = #_sourceLocation
) async -> NetworkError? {
    do throws(NetworkError) {
        _ = try await operation()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error
    }
}

/// What a `.file` error that an operation throws says; `nil` if it throws none.
func fileReason(_ operation: () throws(NetworkError) -> some Any) -> String? {
    do throws(NetworkError) {
        _ = try operation()
        return nil
    } catch {
        guard case .file(let reason) = error.kind else { return nil }
        return reason
    }
}

extension APIClient {
    /// The error that sending an endpoint throws.
    func failure(
        of endpoint: Endpoint<some Any>, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> NetworkError? {
        switch await result(of: endpoint) {
        case .success:
            Issue.record("nothing was thrown", sourceLocation: sourceLocation)
            return nil
        case .failure(let error):
            return error
        }
    }
}

/// A client that shows a failure as it is, and at once.
func articles(_ transport: some HTTPTransport, configure: (inout ClientConfiguration) -> Void = { _ in }) -> APIClient {
    APIClient(baseURL: "https://api.example.com/v1", transport: transport) {
        $0.retry.maximumAttempts = 1
        configure(&$0)
    }
}
