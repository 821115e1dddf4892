import GodwitCore

/// Reports what one store can't do.
struct StoreReporter: Sendable {
    let diagnostics: Diagnostics
    let store: StorageDiagnostic.Store
    /// The store's file.
    let path: String

    func report(_ problem: StorageDiagnostic.Problem, _ detail: String = "") {
        diagnostics.report(StorageDiagnostic(store, problem, path: path, detail: detail))
    }

    func report(_ failure: SQLiteFailure) {
        report(failure.problem, failure.isNewer ? "" : failure.description)
    }
}
