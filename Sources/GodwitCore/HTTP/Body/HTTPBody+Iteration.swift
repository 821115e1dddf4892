import GodwitSupport

extension HTTPBody: AsyncSequence {
    public typealias Element = Data
    public typealias Failure = NetworkError

    /// Starts reading. If a body from the network was read before, the first `next` throws `.invalidRequest`.
    public func makeAsyncIterator() -> AsyncIterator {
        switch storage {
        case .bytes(let data): AsyncIterator(.bytes(data))
        case .file(let region): AsyncIterator(.file(region.reader()))
        case .stream(let source): AsyncIterator(.stream(source.open()))
        case .incoming(let body): AsyncIterator(.incoming(body.claim()))
        }
    }

    /// Reads a body chunk by chunk. Releasing it ends a transfer in progress.
    public struct AsyncIterator: AsyncIteratorProtocol {
        enum State {
            case bytes(Data)
            case file(Result<FileReader, NetworkError>)
            case stream(ChunkSource.Pull)
            case incoming(Result<IncomingBody.BodyRead, NetworkError>)
            case done
        }

        private var state: State

        init(_ state: State) {
            self.state = state
        }

        /// Returns the next chunk, which is never empty, or `nil` at the end.
        ///
        /// Throws the ``NetworkError`` that ended a transfer early, or `.cancelled` if the task is canceled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Data? {
            do throws(NetworkError) {
                if let chunk = try await chunk(isolation: actor) { return chunk }
            } catch {
                state = .done
                throw error
            }
            state = .done
            return nil
        }

        public mutating func next() async throws(NetworkError) -> Data? {
            try await next(isolation: nil)
        }

        private mutating func chunk(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
            switch state {
            case .bytes(let data):
                state = .done
                return data.isEmpty ? nil : data
            case .file(let reader):
                return try reader.get().read(upTo: FileReader.chunkSize)
            case .stream(let pull):
                return try await ChunkSource.next(from: pull)
            case .incoming(let reading):
                return try await reading.get().next(isolation: actor)
            case .done:
                return nil
            }
        }
    }
}

extension HTTPBody {
    /// Collects the whole body in memory. A body from the network can't be read again.
    ///
    /// Throws `.file` if a file can't be read, `.cancelled` if the task is canceled, or the error that ended the
    /// transfer.
    ///
    /// - Parameter limit: Maximum bytes to collect. A larger body throws `.tooLarge` and ends the transfer.
    ///
    /// ```swift
    /// let text = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    /// ```
    public func collect(upTo limit: Int) async throws(NetworkError) -> Data {
        try await collected(upTo: limit)
    }

    /// The same on the caller's executor, for what is in memory.
    nonisolated(nonsending) func collected(upTo limit: Int) async throws(NetworkError) -> Data {
        guard case .bytes(let data) = storage else { return try await gather(upTo: limit) }
        guard data.count <= limit else { throw Self.tooLarge(limit) }
        return data
    }

    private func gather(upTo limit: Int) async throws(NetworkError) -> Data {
        var collected = Data()
        for try await chunk in self {
            guard chunk.count <= limit.saturatingSubtracting(collected.count) else { throw Self.tooLarge(limit) }
            if collected.isEmpty { collected = chunk } else { collected.append(chunk) }
        }
        return collected
    }

    private static func tooLarge(_ limit: Int) -> NetworkError {
        NetworkError(.tooLarge(limit: Int64(limit)), phase: .receiving)
    }
}
