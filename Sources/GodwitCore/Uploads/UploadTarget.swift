/// Where a file is uploaded to, and how.
///
/// ```swift
/// let upload = api.upload(film, to: .resumable(.post("films")))
/// for await progress in upload.progress { bar.value = progress.fraction }
/// try await upload.value
/// ```
public struct UploadTarget<Value: Sendable>: Sendable {
    enum Kind: Sendable {
        case resumable(Endpoint<Value>, UploadProtocol)
        case parts(UploadParts<Value>)
    }

    let kind: Kind
    let options: UploadOptions

    /// URLs that the app's server has signed, one for each part of the file.
    ///
    /// Of the options, ``UploadOptions/parallelParts``, ``UploadOptions/ticketFile`` and
    /// ``UploadOptions/progressInterval`` count.
    ///
    /// - Parameters:
    ///   - parts: Provides the URLs, and completes or removes the upload.
    ///   - configure: Changes the options. Four parts are sent at once unless you change that.
    public static func parts(
        _ parts: UploadParts<Value>, configure: (inout UploadOptions) -> Void = { _ in }
    ) -> UploadTarget {
        var options = UploadOptions()
        options.parallelParts = 4
        configure(&options)
        return UploadTarget(kind: .parts(parts), options: options)
    }

    /// An endpoint that accepts resumable uploads.
    ///
    /// - Parameters:
    ///   - endpoint: Creates the upload; a POST without a body for tus. The value is decoded from the response to the
    ///     last request. A tus server usually answers that without content: use `Endpoint<Void>`.
    ///   - uploadProtocol: The protocol. By default the server is asked.
    ///   - configure: Changes the options.
    public static func resumable(
        _ endpoint: Endpoint<Value>, using uploadProtocol: UploadProtocol = .discovered,
        configure: (inout UploadOptions) -> Void = { _ in }
    ) -> UploadTarget {
        var options = UploadOptions()
        configure(&options)
        return UploadTarget(kind: .resumable(endpoint, uploadProtocol), options: options)
    }
}

/// A protocol of resumable uploads.
public enum UploadProtocol: String, Sendable, Hashable, Codable {
    /// The server is asked with `OPTIONS`. A server that names neither protocol gets the whole file in one request,
    /// which can be resumed if the server answers 104 (Upload Resumption Supported) meanwhile.
    case discovered
    /// tus 1.0.0, with the extensions that the server's answer to `OPTIONS` names.
    case tus
    /// Resumable uploads for HTTP, interop version 6 (draft-ietf-httpbis-resumable-upload-05).
    case ietf
}
