#if os(Linux)
import GodwitCore
import GodwitSockets
import GodwitSupport
import Synchronization

/// The file of ``AlternativeServices``, which only its owner can read. Written in the background; bursts of changes become one
/// write. Several processes can use it: each applies its own changes to what the file has.
final class AlternativeFile: Sendable {
    private struct State {
        /// What the file doesn't have yet.
        var pending = AlternativeTable.Changes()
        var writer: Task<Void, Never>?
    }

    private let url: URL
    private let diagnostics: Diagnostics
    private let state = Mutex(State())

    init(_ url: URL, _ diagnostics: Diagnostics) {
        self.url = url
        self.diagnostics = diagnostics
    }

    /// What the file has; nil if there is none, or it can't be read.
    func read(at time: Double) -> AlternativeTable? {
        do throws(NetworkError) {
            return try PrivateFile(url).read().map { data throws(NetworkError) in try table(data, at: time) }
        } catch {
            diagnostics.report(.alternativeServices, at: url, error)
            return nil
        }
    }

    private func table(_ data: Data, at time: Double) throws(NetworkError) -> AlternativeTable {
        if let table = AlternativeTable(String(decoding: data, as: UTF8.self), at: time) { return table }
        throw PrivateFile.error("\(url.lastPathComponent) is not a file of alternative services")
    }

    /// Notes changes for the file.
    ///
    /// - Parameter isSmall: Whether they can wait for others.
    func write(_ changes: AlternativeTable.Changes, isSmall: Bool, at time: Double) {
        state.withLock { state in
            state.pending.append(changes)
            guard !isSmall, state.writer == nil else { return }
            state.writer = Task.detached(priority: .utility) { [self] in
                // It may wait for another process.
                await BlockingWork.run { self.writeAll(at: time) }
            }
        }
    }

    func flush() async {
        await state.withLock { $0.writer }?.value
    }

    private func writeAll(at time: Double) {
        while let changes = next() {
            do throws(NetworkError) {
                try PrivateFile(url).change { data throws(NetworkError) in
                    var table = data.flatMap { try? self.table($0, at: time) } ?? AlternativeTable()
                    table.apply(changes, at: time)
                    data = Data(table.text.utf8)
                }
            } catch {
                diagnostics.report(.alternativeServices, at: url, error)
            }
        }
    }

    /// Ends the writer if there is nothing left to write.
    private func next() -> AlternativeTable.Changes? {
        state.withLock { state in
            guard !state.pending.isEmpty else {
                state.writer = nil
                return nil
            }
            defer { state.pending = AlternativeTable.Changes() }
            return state.pending
        }
    }
}
#endif
