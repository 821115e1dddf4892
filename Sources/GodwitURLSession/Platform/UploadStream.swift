#if canImport(Darwin)
import Dispatch
import GodwitCore

/// Content that URLSession reads as the network takes it: one end of a pair of streams, whose other end is written here.
enum UploadStream {
    private static let capacity = 64 << 10

    /// Begins to read the body; nil where there is no pair of streams to be had.
    ///
    /// - Parameter onFailure: Called where the body cannot be read, or is not as long as it declared.
    static func open(_ body: HTTPBody, onFailure: @escaping @Sendable (NetworkError) -> Void) -> InputStream? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: capacity, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        let writer = Writer(output)
        Task {
            do throws(NetworkError) {
                try await copy(body, to: writer)
            } catch {
                onFailure(error)
            }
            writer.close()
        }
        return input
    }

    private static func copy(_ body: HTTPBody, to writer: Writer) async throws(NetworkError) {
        let length = body.length
        var count: Int64 = 0
        for try await chunk in body {
            count += Int64(chunk.count)
            if let length, count > length { throw mismatch(length) }
            guard await writer.write(chunk) else { return }
        }
        if let length, count < length { throw mismatch(length) }
    }

    private static func mismatch(_ length: Int64) -> NetworkError {
        let reason = "the stream gave another number than the \(length) bytes it declared"
        return NetworkError(.transport(.cannotSendBody(reason)), phase: .sending)
    }

    /// Writes on a queue of its own, where waiting for the network holds up nobody.
    private final class Writer: Sendable {
        private let queue = DispatchQueue(label: "godwit.upload")
        // Safe: touched on the queue alone.
        nonisolated(unsafe) private let output: OutputStream

        init(_ output: OutputStream) {
            self.output = output
            queue.async { [self] in self.output.open() }
        }

        /// Waits until all of it is taken; false where nobody reads any more.
        func write(_ chunk: Data) async -> Bool {
            await withUnsafeContinuation { continuation in
                queue.async { [self] in continuation.resume(returning: writeAll(chunk)) }
            }
        }

        func close() {
            queue.async { [self] in output.close() }
        }

        private func writeAll(_ chunk: Data) -> Bool {
            chunk.withUnsafeBytes { bytes in
                var rest = bytes.bindMemory(to: UInt8.self)[...]
                while !rest.isEmpty {
                    let part = UnsafeBufferPointer(rebasing: rest)
                    guard let address = part.baseAddress else { return false }
                    let count = output.write(address, maxLength: part.count)
                    guard count > 0 else { return false }
                    rest = rest.dropFirst(count)
                }
                return true
            }
        }
    }
}
#endif
