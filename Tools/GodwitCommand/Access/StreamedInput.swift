import Godwit
import GodwitSupport

/// A pipe, a device, or a file without a size, such as those of `/proc`. The wait for bytes holds no thread, and ends if the
/// task is canceled.
struct StreamedInput: InputSource {
    private static let chunkSize = 64 << 10

    private let file: StreamDescriptor
    private let path: String

    init(_ path: String) throws(CommandFailure) {
        self.path = path
        do throws(StreamDescriptor.Fault) {
            file = try StreamDescriptor(path, for: .reading)
        } catch {
            throw .file("cannot read \(path)")
        }
    }

    /// The file as an input; `nil` if it has a size.
    static func source(at path: String) throws(CommandFailure) -> (any InputSource)? {
        switch FileKind(at: path) {
        case .special: return try StreamedInput(path)
        case .regular:
            let size = (try? FileManager.default.attributesOfItem(atPath: path))?.byteCount
            return size == 0 ? try StreamedInput(path) : nil
        case .absent, .folder, .link, .tooLong: return nil
        }
    }

    func read() async throws -> Data? {
        do throws(StreamDescriptor.Fault) {
            let bytes = try await file.read(upTo: Self.chunkSize)
            return bytes.isEmpty ? nil : Data(bytes)
        } catch {
            throw error == .cancelled ? OutputError.cancelled : .failed("cannot read \(path)")
        }
    }
}

extension InputSource {
    /// The next bytes, or `nil` at the end. What can't be read ends the command.
    func next() async throws(CommandFailure) -> Data? {
        do {
            return try await read()
        } catch {
            throw .output((error as? OutputError) ?? .cancelled)
        }
    }
}
