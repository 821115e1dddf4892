import GodwitCore
import GodwitSupport
import Synchronization

/// One request to a ``MockUploads``: decides before the body what it is for, keeps its bytes, and answers it.
final class UploadIntake: BodyIntake {
    private struct Progress {
        /// The upload that gets the bytes; `nil` if they are ignored.
        var target: String?
        /// The number of the request, if it changes an upload.
        var number = 0
        /// Bytes that are kept only if their digest is right, or the request complete.
        var pending: Data?
        var count: Int64 = 0
        /// The response, if the body doesn't matter.
        var response: MockResponse?
        var interim: [HTTPResponseHead] = []
    }

    private let request: MockRequest
    private let path: String
    private let uploads: MockUploads
    private let fault: MockUploads.Fault?
    private let progress = Mutex(Progress())

    init(_ request: MockRequest, path: String, uploads: MockUploads) {
        self.request = request
        self.path = path
        self.uploads = uploads
        fault = uploads.fault?(request)
        if case .loseUploads = fault { uploads.removeAll() }
        if case .respond(let response) = fault {
            progress.withLock { $0.response = response }
        } else {
            begin()
        }
    }

    private var fields: HTTPFields { request.fields }
    private var isTus: Bool { fields.contains(.tusResumable) && uploads.options.grammars.contains(.tus) }
    private var id: String { request.parameters["upload"] ?? "" }

    var interim: [HTTPResponseHead] { progress.withLock(\.interim) }

    // MARK: Before the body

    private func begin() {
        switch request.method {
        case .options: answer(capabilities)
        case .post where id.isEmpty, .put where id.isEmpty: create()
        case .head:
            // What an earlier request still brings would change the answer.
            _ = uploads.own(id)
            answer(state)
        case .patch: append()
        case .delete:
            let isKnown = uploads.state.withLock { state in
                state.order.removeAll { $0 == id }
                return state.uploads.removeValue(forKey: id) != nil
            }
            answer(status(isKnown ? .noContent : .notFound))
        default: answer(status(.methodNotAllowed))
        }
    }

    private func answer(_ response: MockResponse) {
        progress.withLock { $0.response = response }
    }

    private func status(_ status: HTTPStatus) -> MockResponse {
        isTus ? MockResponse.status(status).field(.tusResumable, TusServer.version) : .status(status)
    }

    private var capabilities: MockResponse {
        let options = uploads.options
        var response = MockResponse.status(.noContent)
        if options.grammars.contains(.tus) {
            response = response.field(.tusResumable, TusServer.version).field(.tusVersion, TusServer.version)
                .field(.tusExtension, options.tusExtensions.joined(separator: ","))
                .field(.tusChecksumAlgorithm, "sha1,sha256")
        }
        if options.grammars.contains(.ietf), let limit = options.uploadLimit {
            response = response.field(.uploadLimit, limit)
        }
        return response
    }

    private func create() {
        let concat = fields[.uploadConcat]
        if isTus, let concat, concat.hasPrefix("final;") { return answer(join(concat.dropFirst(6))) }
        let length = fields[.uploadLength].flatMap { StructuredField.decimal($0) }
        if isTus, length == nil { return answer(status(.badRequest)) }
        let isKnown = isTus || fields.contains(.uploadComplete) && uploads.options.grammars.contains(.ietf)
        let id = uploads.state.withLock { state in
            state.count += 1
            var upload = MockUploads.Upload(id: "u\(state.count)")
            upload.length = length
            upload.metadata = TusMetadata.parse(fields[.uploadMetadata] ?? "")
            upload.isPart = concat == "partial"
            state.uploads[upload.id] = upload
            state.order.append(upload.id)
            return upload.id
        }
        receive(into: id)
        guard isKnown, !isTus, uploads.options.sendsInterim else { return }
        let head = HTTPResponseHead(
            status: .uploadResumptionSupported,
            fields: [.location: location(id), .uploadDraftInteropVersion: UploadReport.interopVersion])
        progress.withLock { $0.interim = [head] }
    }

    private func location(_ id: String) -> String { (uploads.options.locationOrigin ?? "") + "\(path)/\(id)" }

    /// Joins complete parts (tus, Concatenation).
    private func join(_ locations: Substring) -> MockResponse {
        let ids = locations.split(separator: " " as Character).compactMap {
            $0.split(separator: "/" as Character).last.map(String.init)
        }
        let joined = uploads.state.withLock { state -> String? in
            let parts = ids.compactMap { state.uploads[$0] }
            guard parts.count == ids.count, parts.allSatisfy(\.isComplete) else { return nil }
            state.count += 1
            var whole = MockUploads.Upload(id: "u\(state.count)")
            for part in parts {
                whole.data.append(part.data)
                whole.offset += part.offset
            }
            whole.length = whole.offset
            whole.isComplete = true
            whole.metadata = TusMetadata.parse(fields[.uploadMetadata] ?? "")
            state.uploads[whole.id] = whole
            state.order.append(whole.id)
            return whole.id
        }
        return joined.map { status(.created).field(.location, location($0)) } ?? status(.notFound)
    }

    private var state: MockResponse {
        guard let upload = uploads.state.withLock({ $0.uploads[id] }) else { return status(.notFound) }
        var response = described(upload, status(isTus ? .ok : .noContent)).field(.cacheControl, "no-store")
        if let length = upload.length { response = response.field(.uploadLength, "\(length)") }
        return response
    }

    private func append() {
        guard let upload = uploads.state.withLock({ $0.uploads[id] }) else { return answer(status(.notFound)) }
        guard fields[.uploadOffset] == "\(upload.offset)", !upload.isComplete else {
            return answer(described(upload, status(.conflict)))
        }
        let type = isTus ? "application/offset+octet-stream" : "application/partial-upload"
        guard fields[.contentType] == type else { return answer(status(.unsupportedMediaType)) }
        receive(into: id)
    }

    private func receive(into id: String) {
        let holdsBack =
            fields.contains(.uploadChecksum) || fields.contains(.contentDigest) || !uploads.options.keepsBrokenRequests
        let number = uploads.own(id)
        progress.withLock { progress in
            progress.target = id
            progress.number = number
            progress.pending = holdsBack ? Data() : nil
        }
    }

    // MARK: The body

    func receive(_ piece: Data) -> MockResponse.Ending? {
        let (room, ending) = progress.withLock { progress in
            defer { progress.count += Int64(piece.count) }
            guard let (limit, ending) = cut else { return (piece.count, MockResponse.Ending?.none) }
            let room = Int(clamping: max(0, limit - progress.count))
            return (min(room, piece.count), room < piece.count ? ending : nil)
        }
        take(room < piece.count ? Data(piece.prefix(room)) : piece)
        return ending
    }

    private var cut: (Int64, MockResponse.Ending)? {
        switch fault {
        case .cut(let limit): (limit, .close)
        case .reset(let limit): (limit, .reset)
        case .loseUploads, .respond, nil: nil
        }
    }

    private func take(_ bytes: Data) {
        let target = progress.withLock { progress -> String? in
            guard progress.pending == nil else {
                progress.pending?.append(bytes)
                return nil
            }
            return progress.target
        }
        uploads.state.withLock { $0.received += Int64(bytes.count) }
        if let target { store(bytes, in: target) }
    }

    private func store(_ bytes: Data, in id: String) {
        let (keepsData, number) = (uploads.options.keepsData, progress.withLock(\.number))
        uploads.state.withLock { state in
            guard state.owners[id] == number else { return }
            state.uploads[id]?.offset += Int64(bytes.count)
            if keepsData { state.uploads[id]?.data.append(bytes) }
        }
    }

    // MARK: After the body

    func respond() -> MockResponse {
        if let response = progress.withLock(\.response) { return response }
        let (target, pending) = progress.withLock { ($0.target ?? "", $0.pending) }
        if let pending {
            guard isGenuine(pending) else {
                return isTus ? status(HTTPStatus(460) ?? .badRequest) : status(.badRequest)
            }
            store(pending, in: target)
        }
        let upload = finish(target)
        if let (_, ending) = cut { return ending == .reset ? .reset : .close }
        guard let upload else { return status(.notFound) }
        let isCreation = request.method != .patch
        let response = described(upload, status(isCreation ? .created : isTus ? .noContent : .ok))
        return isCreation ? response.field(.location, location(target)) : response
    }

    /// Notes whether an upload is complete.
    private func finish(_ id: String) -> MockUploads.Upload? {
        let number = progress.withLock(\.number)
        return uploads.state.withLock { state in
            guard var upload = state.uploads[id], state.owners[id] == number else { return state.uploads[id] }
            let isLast = isTus ? upload.offset == upload.length : fields[.uploadComplete] != "?0"
            if isLast, upload.length ?? upload.offset == upload.offset { upload.isComplete = true }
            state.uploads[id] = upload
            return upload
        }
    }

    private func described(_ upload: MockUploads.Upload, _ response: MockResponse) -> MockResponse {
        var response = response.field(.uploadOffset, "\(upload.offset)")
        if isTus {
            if let expires = uploads.options.expires {
                response = response.field(.uploadExpires, HTTPDate.format(expires))
            }
        } else {
            response = response.field(.uploadComplete, StructuredField.text(upload.isComplete))
            if let limit = uploads.options.uploadLimit { response = response.field(.uploadLimit, limit) }
        }
        return response
    }

    /// Whether bytes have the digest that the request names.
    private func isGenuine(_ bytes: Data) -> Bool {
        if let text = fields[.uploadChecksum] {
            guard let (algorithm, digest) = TusChecksum.parse(text) else { return false }
            return digest == (algorithm == .sha1 ? SHA1.digest(bytes) : SHA256.digest(bytes))
        }
        guard let text = fields[.contentDigest] else { return true }
        return text == DigestField.text(sha256: SHA256.digest(bytes))
    }
}
