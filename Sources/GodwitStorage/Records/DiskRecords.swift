import Dispatch
import GodwitCore
import Synchronization

/// A record store whose file access happens on a serial queue, so that tasks don't wait for the disk.
final class DiskRecords: Sendable {
    private let queue: DispatchQueue
    private let store: Store

    private final class Store: Sendable {
        let records: Mutex<RecordStore>

        init(_ records: consuming sending RecordStore) {
            self.records = Mutex(records)
        }
    }

    /// Creates the folder; the file is opened on first use. Throws `.file` if the folder can't be used.
    init(
        _ store: StorageDiagnostic.Store, in directory: URL, _ limits: RecordLimits, _ diagnostics: Diagnostics
    ) throws(NetworkError) {
        let name = "\(store.rawValue).sqlite"
        // Links are resolved once: later, the same folder is opened.
        let folder = try PrivateFolder(directory).make()
        queue = DispatchQueue(label: "godwit.\(name)")
        self.store = Store(RecordStore(RecordFile(name, in: folder, store, diagnostics), limits))
    }

    deinit {
        store.records.withLock { $0.close() }
    }

    func perform<Value: Sendable>(_ work: @escaping @Sendable (inout RecordStore) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            // Captures the store only: the queue must not be the last to release this object, whose deinit closes the
            // file.
            queue.async { [store] in continuation.resume(returning: store.records.withLock { work(&$0) }) }
        }
    }
}

/// Reports problems of one store.
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
