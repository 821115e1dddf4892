import Dispatch
import GodwitCore
import Synchronization

/// A room of records whose work is done on a queue of its own, one piece after the other, so that tasks go on while the
/// disk is waited for.
final class DiskRecords: Sendable {
    private let lane: DispatchQueue
    private let room: Room

    private final class Room: Sendable {
        let records: Mutex<RecordRoom>

        init(_ records: consuming sending RecordRoom) {
            self.records = Mutex(records)
        }
    }

    /// Makes the folder; the file is opened at the first use. Throws `.file` where there can be no such folder.
    init(
        _ store: StorageDiagnostic.Store, in directory: URL, _ limits: RecordLimits, _ diagnostics: Diagnostics
    ) throws(NetworkError) {
        let name = "\(store.rawValue).sqlite"
        // Its links are resolved once: what is opened later is opened there.
        let folder = try PrivateFolder(directory).make()
        lane = DispatchQueue(label: "godwit.\(name)")
        room = Room(RecordRoom(RecordFile(name, in: folder, store, diagnostics), limits))
    }

    deinit {
        room.records.withLock { $0.close() }
    }

    func perform<Value: Sendable>(_ work: @escaping @Sendable (inout RecordRoom) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            // Not of this object: the lane may let go of it last, and late, and whoever closes the file waits for that.
            lane.async { [room] in continuation.resume(returning: room.records.withLock { work(&$0) }) }
        }
    }
}

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
