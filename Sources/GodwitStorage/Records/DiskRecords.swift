import Dispatch
import GodwitCore
import Synchronization

/// A room of records whose work is done on a queue of its own, one piece after the other, so that tasks go on while the
/// disk is waited for.
final class DiskRecords: Sendable {
    private let lane: DispatchQueue
    private let room: Mutex<RecordRoom>

    /// Makes the folder; the file is opened at the first use. Throws `.file` where there can be no such folder.
    init(_ name: String, in directory: URL, limit: Int) throws(NetworkError) {
        let folder = PrivateFolder(directory)
        try folder.make()
        lane = DispatchQueue(label: "godwit.\(name)")
        room = Mutex(RecordRoom(RecordFile(name, in: folder), limit: limit))
    }

    deinit {
        room.withLock { $0.close() }
    }

    func perform<Value: Sendable>(_ work: @escaping @Sendable (inout RecordRoom) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            lane.async { continuation.resume(returning: self.room.withLock { work(&$0) }) }
        }
    }
}
