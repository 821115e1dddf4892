/// A page that is being loaded before it is asked for; let go of, it is cancelled.
final class PageAhead<Page: ElementPage & Sendable>: Sendable {
    private let task: Task<Result<Response<Page>, NetworkError>, Never>

    init(_ place: Paging<Page>.Place, _ api: APIClient, _ stamp: AccountStamp) {
        task = Task {
            do throws(NetworkError) {
                return .success(try await api.response(for: place, stamp))
            } catch {
                return .failure(error)
            }
        }
    }

    deinit {
        task.cancel()
    }

    func response() async throws(NetworkError) -> Response<Page> {
        try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }
}
