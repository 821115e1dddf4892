#if os(Linux)
import CLinux
package import GodwitCore
import GodwitLibc
import GodwitSupport
import Synchronization

/// A file's bytes. Cached bytes are read directly, others by a thread, so that a slow disk holds up no other
/// exchange.
package final class FileSource: Sendable {
    private enum Piece {
        case none, wanted
        case read(Data, at: Int64)
        case failed(NetworkError)
    }

    private let reader: FileReader
    private let length: Int64
    private let piece = Mutex(Piece.none)
    private let onSupply: @Sendable () -> Void
    private static let pieceSize = 512 << 10

    /// - Parameter onSupply: Called on another thread when ``read(into:)`` should be tried again.
    package init(_ reader: FileReader, onSupply: @escaping @Sendable () -> Void) {
        self.reader = reader
        length = reader.remaining
        self.onSupply = onSupply
    }

    /// Fills the buffer; 0 bytes at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> BodySource.Step {
        do throws(NetworkError) {
            if let count = try takePiece(into: buffer) { return count > 0 ? .bytes(count) : .pause }
            let count = try reader.read(into: buffer) { godwit_read_cached($0, $1, $2, off_t($3)) }
            if let count { return .bytes(count) }
        } catch {
            return .failed(error)
        }
        fetch(at: length - reader.remaining)
        return .pause
    }

    /// Continues at an offset from the start; false for one outside.
    package func seek(to offset: Int64) -> Bool {
        reader.seek(to: offset)
    }

    /// Copies bytes of the piece that was read. Returns 0 while it is being read, nil if there is none for this position.
    private func takePiece(into buffer: UnsafeMutableRawBufferPointer) throws(NetworkError) -> Int? {
        let position = length - reader.remaining
        let (count, failure) = piece.withLock { piece -> (Int?, NetworkError?) in
            switch piece {
            case .none:
                return (nil, nil)
            case .wanted:
                return (0, nil)
            case .failed(let error):
                piece = .none
                return (nil, error)
            case .read(let data, let start):
                let used = position - start
                guard used >= 0, used < data.count else {
                    piece = .none
                    return (nil, nil)
                }
                let count = min(buffer.count, data.count - Int(used))
                data.dropFirst(Int(used)).copyBytes(to: buffer, count: count)
                return (count, nil)
            }
        }
        if let failure { throw failure }
        if let count, count > 0 { _ = reader.seek(to: position + Int64(count)) }
        return count
    }

    private func fetch(at position: Int64) {
        piece.withLock { $0 = .wanted }
        let work: @Sendable () -> Void = { [self] in
            let result = Result { () throws(NetworkError) in try reader.piece(at: position, upTo: Self.pieceSize) }
            piece.withLock { piece in
                switch result {
                case .success(let data): piece = .read(data, at: position)
                case .failure(let error): piece = .failed(error)
                }
            }
            onSupply()
        }
        if let thread = SystemThread(work) { thread.detach() } else { work() }
    }
}
#endif
