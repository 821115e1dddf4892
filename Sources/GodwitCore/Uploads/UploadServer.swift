/// What is known of the server of an upload.
enum UploadServer: Sendable, Hashable {
    /// It named no protocol: what a 104 response says while the whole file is sent decides.
    case unknown
    case tus(TusServer)
    case ietf(UploadLimits?)
    /// The app's server signs a URL for each part.
    case presigned

    var grammar: UploadReport.Grammar {
        if case .tus = self { .tus } else { .ietf }
    }

    /// Whether parts can be sent separately and joined.
    var concatenates: Bool {
        if case .tus(let server) = self { server.extensions.contains(.concatenation) } else { false }
    }

    /// Whether an upload can be removed.
    var terminates: Bool {
        switch self {
        case .tus(let server): server.terminates
        case .unknown, .ietf: true
        case .presigned: false
        }
    }

    /// The maximum size of a file.
    var maximumSize: Int64? {
        switch self {
        case .unknown, .presigned: nil
        case .tus(let server): server.maximumSize
        case .ietf(let limits): limits?.maximumSize
        }
    }

    /// The maximum size of a request.
    var maximumAppend: Int64? {
        if case .ietf(let limits) = self { limits?.maximumAppend } else { nil }
    }
}
