/// A command that moves files.
enum TransferVerb: String, CaseIterable {
    case download, upload

    var name: String { rawValue }

    var usage: String {
        switch self {
        case .download: "URL…"
        case .upload: "FILE URL"
        }
    }

    var summary: String {
        switch self {
        case .download: "downloads into files, several at once; goes on where a connection broke"
        case .upload: "sends a file, by PUT unless -X says otherwise; - reads standard input"
        }
    }
}
