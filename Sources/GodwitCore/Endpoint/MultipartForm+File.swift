import GodwitLibc
import GodwitSupport

extension MultipartForm {
    /// What to do if the file to be written exists.
    public enum ExistingFile: Sendable, Hashable {
        /// Keeps the file; writing throws `.file`.
        case fail
        /// Replaces the file atomically, once the new one is complete.
        case replace
    }

    /// Writes the form to a file as it would be sent, for uploads that need a file.
    ///
    /// ```swift
    /// var form = MultipartForm()
    /// form.file("photo", at: photo)
    /// try await form.write(to: file)
    /// let request = HTTPRequest(method: .post, url: url, fields: [.contentType: form.contentType.description])
    /// try await session.upload(request, fromFile: file)
    /// ```
    ///
    /// Files and streams are read in blocks. The bytes are written to a hidden file in the same folder, which is
    /// renamed when it is complete: a failed or canceled write leaves nothing behind and doesn't change an existing
    /// file. Only the owner can read the file (0600). A form with a single-pass stream can be written or sent, but not
    /// both.
    ///
    /// - Parameters:
    ///   - url: The file to create. Its folder must exist.
    ///   - existingFile: What to do if it exists. ``ExistingFile/fail`` by default.
    ///   - limit: Maximum bytes of the form. `nil` (the default) means no limit.
    /// - Returns: The number of bytes written.
    /// - Throws: `.file` if a part can't be read or the file can't be written, `.tooLarge` if the form exceeds the
    ///   limit, `.encoding` if a part's header fields are invalid, `.cancelled` if the task is canceled, and the error
    ///   of a stream.
    @discardableResult
    public func write(
        to url: URL, existingFile: ExistingFile = .fail, limit: Int64? = nil
    ) async throws(NetworkError) -> Int64 {
        do throws(NetworkError) {
            let body = try body()
            if let limit, let length = body.length, length > limit { throw Self.tooLarge(limit) }
            try existingFile.check(url)
            let part = URL(filePath: CompanionName.draft(of: url.path))
            var isMoved = false
            let file = try FileWriter(creatingPrivate: part)
            defer { if !isMoved { unlink(part.path) } }
            let count = try await Self.copy(body, to: file, limit: limit)
            try existingFile.move(part, to: url)
            isMoved = true
            return count
        } catch {
            var error = error
            error.phase = .building
            throw error
        }
    }

    private static func copy(
        _ body: HTTPBody, to file: FileWriter, limit: Int64?
    ) async throws(NetworkError) -> Int64 {
        var count: Int64 = 0
        for try await chunk in body {
            if Task.isCancelled { throw NetworkError(.cancelled, phase: .building) }
            count += Int64(chunk.count)
            if let limit, count > limit { throw tooLarge(limit) }
            try file.write(chunk)
        }
        if Task.isCancelled { throw NetworkError(.cancelled, phase: .building) }
        return count
    }

    private static func tooLarge(_ limit: Int64) -> NetworkError {
        NetworkError(.tooLarge(limit: limit), phase: .building)
    }
}

extension MultipartForm.ExistingFile {
    /// Throws `.file` before anything is read if the file can't be created under this name.
    fileprivate func check(_ url: URL) throws(NetworkError) {
        switch FileKind(at: url.path, followsLinks: false) {
        case .absent: return
        case .tooLong: throw Self.cannotCreate(url, ENAMETOOLONG)
        case _ where self == .fail: throw Self.exists(url)
        case .regular, .link: return
        // They must not be replaced by a file.
        case .folder, .special: throw Self.failure("\(url.lastPathComponent) is not a regular file")
        }
    }

    fileprivate func move(_ part: URL, to url: URL) throws(NetworkError) {
        let outcome =
            switch self {
            case .fail: FileMove.move(part.path, toFree: url.path)
            case .replace: FileMove.replace(url.path, with: part.path)
            }
        switch outcome {
        case .moved: return
        case .exists: throw Self.exists(url)
        case .failed(let code): throw Self.cannotCreate(url, code)
        }
    }

    private static func cannotCreate(_ url: URL, _ code: Int32) -> NetworkError {
        failure("cannot create \(url.lastPathComponent): \(String(cString: strerror(code)))")
    }

    private static func exists(_ url: URL) -> NetworkError {
        failure("\(url.lastPathComponent) exists already", FileExists())
    }

    private static func failure(_ reason: String, _ underlying: FileExists? = nil) -> NetworkError {
        NetworkError(.file(reason: reason), phase: .building, underlying: underlying)
    }
}
