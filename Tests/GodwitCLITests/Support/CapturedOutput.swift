import Godwit
import GodwitCommand
import Synchronization

/// An output that keeps what is written, and can close after so many bytes as a reader does that has seen enough.
final class CapturedOutput: OutputSink {
    let isTerminal: Bool
    let file: OpenFile?
    private let limit: Int
    private let written = Mutex(Data())

    init(isTerminal: Bool = false, closesAfter limit: Int = .max, file: OpenFile? = nil) {
        self.isTerminal = isTerminal
        self.file = file
        self.limit = limit
    }

    func write(_ data: Data) async throws(OutputError) {
        let count = written.withLock { written in
            written.append(data)
            return written.count
        }
        if count > limit { throw .closed }
    }

    var data: Data { written.withLock(\.self) }
    var text: String { String(decoding: data, as: UTF8.self) }
}
