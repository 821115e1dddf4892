import GodwitSupport

extension HTTPBody {
    /// Returns this body, followed by trailer fields that are made from the chunks that were sent.
    ///
    /// ```swift
    /// request.body = .file(at: film).withTrailers(["X-Count"], reducing: 0) { count, chunk in
    ///     count += chunk.count
    /// } fields: { count in
    ///     ["X-Count": "\(count)"]
    /// }
    /// ```
    ///
    /// Each sending, such as a retry, starts with `initial`. The body is sent in chunks, without a `Content-Length` (RFC 9112 section
    /// 7.1), and isn't compressed.
    ///
    /// With URLSession, and with HTTP/3 alone, the request throws `.unsupported` before anything is sent.
    ///
    /// - Parameters:
    ///   - names: The names to announce in the field `Trailer`. A receiver may drop fields that aren't announced.
    ///   - initial: The value before the first chunk.
    ///   - update: Adds a chunk to the value.
    ///   - fields: Makes the trailer fields after the last chunk. What it throws ends the request like an error of the stream. Fields
    ///     that frame, route, authenticate or describe a message (RFC 9110 section 6.5.1), and more than 64 KiB, throw
    ///     `.invalidRequest`.
    public func withTrailers<State: Sendable>(
        _ names: [HTTPField.Name] = [], reducing initial: State,
        _ update: @escaping @Sendable (inout State, Data) -> Void,
        fields: @escaping @Sendable (State) async throws -> HTTPFields
    ) -> HTTPBody {
        let trailers = ChunkSource.Trailers(names: names) {
            // Safe: only the pass over the chunks holds these closures, and it makes one call at a time.
            nonisolated(unsafe) var state = initial
            return ChunkSource.Trailers.TrailerMaker(note: { update(&state, $0) }, fields: { try await fields(state) })
        }
        return HTTPBody(.stream(ChunkSource(self, trailers: trailers)))
    }

    /// Returns this body, followed by trailer fields.
    ///
    /// ```swift
    /// request.body = .file(at: film).withTrailers(["X-Taken-By"]) { ["X-Taken-By": "camera 3"] }
    /// ```
    ///
    /// The same as ``withTrailers(_:reducing:_:fields:)``, for fields that aren't made from the chunks.
    ///
    /// - Parameters:
    ///   - names: The names to announce in the field `Trailer`.
    ///   - fields: Makes the trailer fields after the last chunk, for each sending.
    public func withTrailers(
        _ names: [HTTPField.Name] = [], fields: @escaping @Sendable () async throws -> HTTPFields
    ) -> HTTPBody {
        withTrailers(names, reducing: (), { _, _ in }, fields: fields)
    }

    /// The names of the trailer fields that follow, as far as they are announced; `nil` if none follow.
    package var trailerNames: [HTTPField.Name]? {
        guard case .stream(let source) = storage else { return nil }
        return source.trailers?.names
    }

    /// The same body, without the trailer fields of some names. The names are those that are announced and those that are sent.
    func withoutTrailers(_ isDropped: @escaping @Sendable (HTTPField.Name) -> Bool) -> HTTPBody {
        guard case .stream(let source) = storage, let trailers = source.trailers else { return self }
        return HTTPBody(.stream(ChunkSource(self, trailers: trailers.without(isDropped))))
    }

    /// Whether the trailer fields are those of another body.
    func sharesTrailers(with other: HTTPBody) -> Bool {
        guard case .stream(let source) = storage, case .stream(let otherSource) = other.storage,
            let trailers = source.trailers
        else { return false }
        return trailers === otherSource.trailers
    }

    /// Starts a pass over the chunks, with the trailer fields after them.
    package func read() -> ChunkSource.ChunkReader {
        guard case .stream(let source) = storage else { return ChunkSource(self, trailers: nil).read() }
        return source.read()
    }

    /// The value of the field `Trailer`; `nil` without announced names.
    package var announcedTrailers: String? {
        guard let names = trailerNames, !names.isEmpty else { return nil }
        return names.map(\.rawName).joined(separator: ", ")
    }
}

extension ChunkSource {
    /// The trailer fields of a streamed body.
    final class Trailers: Sendable {
        /// One pass over the chunks.
        struct TrailerMaker {
            /// Notes a chunk that is sent.
            let note: (Data) -> Void
            let fields: () async throws -> HTTPFields
        }

        let names: [HTTPField.Name]
        let begin: @Sendable () -> TrailerMaker

        init(names: [HTTPField.Name], begin: @escaping @Sendable () -> TrailerMaker) {
            self.names = names
            self.begin = begin
        }

        /// The same fields, without those of some names.
        func without(_ isDropped: @escaping @Sendable (HTTPField.Name) -> Bool) -> Trailers {
            Trailers(names: names.filter { !isDropped($0) }) { [begin] in
                let pass = begin()
                return TrailerMaker(
                    note: pass.note,
                    fields: { try await HTTPFields(pass.fields().filter { !isDropped($0.name) }) })
            }
        }
    }

    /// One pass over the chunks, with the trailer fields that follow them.
    package struct ChunkReader {
        private let pull: Pull
        private let pass: Trailers.TrailerMaker?

        init(_ pull: @escaping Pull, _ pass: Trailers.TrailerMaker?) {
            self.pull = pull
            self.pass = pass
        }

        /// Returns the next nonempty chunk, or `nil` at the end.
        package func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(NetworkError) -> Data? {
            let chunk = try await ChunkSource.next(from: pull)
            if let chunk { pass?.note(chunk) }
            return chunk
        }

        /// Returns the fields after the last chunk, checked.
        package func trailers(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(NetworkError) -> HTTPFields {
            guard let pass else { return [:] }
            let fields = try await ChunkSource.converting { () async throws in try await pass.fields() }
            if let fault = fields.trailerFault { throw NetworkError(fault, phase: .sending) }
            return fields
        }
    }

    /// Starts a pass, from the beginning if the source allows it. Errors are thrown by the first chunk.
    package func read() -> ChunkReader {
        ChunkReader(open(), trailers?.begin())
    }
}

extension HTTPFields {
    /// Maximum bytes of a request's trailer fields.
    private static let trailerLimit = 64 << 10

    /// Why the fields can't be trailers; `nil` if they can.
    package var trailerFault: NetworkError.Kind? {
        if let field = firstFault {
            return .invalidRequest(reason: "\(field.name.rawName) is not a valid trailer field")
        }
        if let fault = first(where: { !$0.name.isAllowedInTrailers }).map({ $0.name.trailerFault }) { return fault }
        let size = reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        return size > Self.trailerLimit
            ? .invalidRequest(reason: "the trailer fields have \(size) bytes, and \(Self.trailerLimit) are allowed")
            : nil
    }
}

extension HTTPField.Name {
    /// Why a field of this name can't be a trailer field.
    var trailerFault: NetworkError.Kind {
        .invalidRequest(reason: "\(rawName) can't be a trailer field (RFC 9110 section 6.5.1)")
    }
}
