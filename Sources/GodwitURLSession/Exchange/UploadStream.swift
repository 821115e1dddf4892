#if canImport(Security)
import Dispatch
import GodwitCore

/// A request body as a stream for URLSession: the reading end of a bound pair, written here as the network accepts
/// data.
enum UploadStream {
    private static let capacity = 64 << 10

    /// Starts reading the body of an exchange; `nil` if the system can't create a pair of streams.
    static func open(_ body: HTTPBody, for exchange: Exchange) -> InputStream? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: capacity, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        let writer = Writer(output)
        exchange.prepare {
            do throws(NetworkError) {
                try await copy(body, to: writer)
            } catch {
                exchange.fail(error.kind, .sending, underlying: error.underlying)
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
        let reason = "the stream did not have the \(length) bytes it declared"
        return NetworkError(.transport(.cannotSendBody(reason)), phase: .sending)
    }
}

extension UploadStream {
    /// Writes when there is space, without blocking: the stream calls back on the writer's queue.
    private final class Writer: NSObject, StreamDelegate, Sendable {
        private let queue = DispatchQueue(label: "godwit.upload", qos: .userInitiated)
        // Safe: used on the queue only, which is also the stream's callback queue.
        nonisolated(unsafe) private let output: OutputStream
        nonisolated(unsafe) private var pending: (rest: Data, caller: UnsafeContinuation<Bool, Never>)?
        nonisolated(unsafe) private var isOver = false

        init(_ output: OutputStream) {
            self.output = output
            super.init()
            queue.async { [self] in
                self.output.delegate = self
                CFWriteStreamSetDispatchQueue(self.output as CFWriteStream, queue)
                self.output.open()
            }
        }

        /// Waits until the chunk is written; false if the reader closed the stream, or the task is canceled.
        func write(_ chunk: Data) async -> Bool {
            await withTaskCancellationHandler {
                await withUnsafeContinuation { caller in
                    queue.async { [self] in
                        pending = (chunk, caller)
                        pump()
                    }
                }
            } onCancel: {
                close()
            }
        }

        func close() {
            queue.async { [self] in end() }
        }

        func stream(_ stream: Stream, handle event: Stream.Event) {
            switch event {
            case .hasSpaceAvailable: pump()
            case .errorOccurred, .endEncountered: end()
            default: break
            }
        }

        private func pump() {
            guard !isOver else { return finish(false) }
            while let rest = pending?.rest, !rest.isEmpty, output.hasSpaceAvailable {
                let count = rest.withUnsafeBytes { bytes in
                    bytes.bindMemory(to: UInt8.self).baseAddress.map { output.write($0, maxLength: rest.count) } ?? 0
                }
                guard count > 0 else { return end() }
                pending?.rest = rest.dropFirst(count)
            }
            if pending?.rest.isEmpty == true { finish(true) }
        }

        private func end() {
            guard !isOver else { return }
            isOver = true
            output.delegate = nil
            CFWriteStreamSetDispatchQueue(output as CFWriteStream, nil)
            output.close()
            finish(false)
        }

        private func finish(_ isTaken: Bool) {
            pending.take()?.caller.resume(returning: isTaken)
        }
    }
}
#endif
