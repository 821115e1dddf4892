#if os(Linux)
import GodwitCore
import GodwitSockets
import Synchronization

/// The file of ``AlternativeServices``, which only its owner can read. Written in the background; bursts of changes become one
/// write.
final class AlternativeFile: Sendable {
    private struct State {
        /// What has to be written.
        var pending: AlternativeTable?
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
            guard let data = try PrivateFile(url).read() else { return nil }
            if let table = AlternativeTable(String(decoding: data, as: UTF8.self), at: time) { return table }
            throw PrivateFile.error("\(url.lastPathComponent) is not a file of alternative services")
        } catch {
            diagnostics.report(.alternativeServices, at: url, error)
            return nil
        }
    }

    func write(_ table: AlternativeTable) {
        state.withLock { state in
            state.pending = table
            if state.writer == nil { state.writer = Task.detached(priority: .utility) { [self] in writeAll() } }
        }
    }

    func flush() async {
        await state.withLock { $0.writer }?.value
    }

    private func writeAll() {
        while let table = next() {
            do throws(NetworkError) {
                try PrivateFile(url).replace(with: Data(table.text.utf8))
            } catch {
                diagnostics.report(.alternativeServices, at: url, error)
            }
        }
    }

    /// Ends the writer if there is nothing left to write.
    private func next() -> AlternativeTable? {
        state.withLock { state in
            if state.pending == nil { state.writer = nil }
            return state.pending.take()
        }
    }
}
#endif
