package import GodwitCore

/// The error that some work throws; nil if it throws none. Core's tests have a stricter one, which goes first.
@_disfavoredOverload
package func failure(
    isolation: isolated (any Actor)? = #isolation, of work: () async throws(NetworkError) -> some Any
) async -> NetworkError? {
    do throws(NetworkError) {
        _ = try await work()
        return nil
    } catch {
        return error
    }
}
