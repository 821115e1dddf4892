extension HTTPBody: AsyncSequence {
    public typealias Element = Data
    public typealias Failure = NetworkError

    /// Starts a reading. A body from the network that was read already throws `.invalidRequest` at the first `next`.
    public func makeAsyncIterator() -> AsyncIterator {
        switch storage {
        case .bytes(let data): AsyncIterator(.bytes(data))
        case .file(let region): AsyncIterator(.file(region.reader()))
        case .stream(let source): AsyncIterator(.stream(source.open()))
        case .incoming(let body): AsyncIterator(.incoming(body.claim()))
        }
    }

    /// Reads a body chunk by chunk. Letting go of it ends a transfer that is under way.
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

        /// The next chunk, never empty; nil at the end.
        ///
        /// Throws the ``NetworkError`` that ended a transfer early; `.cancelled` when the task is cancelled.
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
    /// The whole content in memory.
    ///
    /// - Parameter limit: The most bytes to keep; more throws `.tooLarge` and ends the transfer.
    ///
    /// Throws `.file` for a file that cannot be read, `.cancelled` when the task is cancelled, and else the error that
    /// ended the transfer. A body from the network is used up.
    ///
    /// ```swift
    /// let text = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    /// ```
    public func collect(upTo limit: Int) async throws(NetworkError) -> Data {
        if case .bytes(let data) = storage {
            guard data.count <= limit else { throw Self.tooLarge(limit) }
            return data
        }
        return try await gather(upTo: limit)
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
