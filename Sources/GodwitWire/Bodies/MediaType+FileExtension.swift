extension MediaType {
    /// Creates the usual type of files with this extension; `nil` if the extension is unknown.
    ///
    /// Text types have `charset=utf-8`. Uses a built-in table of about seventy extensions, not the system's.
    ///
    /// ```swift
    /// MediaType(forFileExtension: "PNG")?.description         // image/png
    /// MediaType(forFileExtension: "unheard-of")               // nil
    /// ```
    ///
    /// - Parameter fileExtension: The extension, without the dot, in any case.
    public init?(forFileExtension fileExtension: String) {
        guard let known = Self.byExtension[fileExtension.asciiLowercased] else { return nil }
        self.init(known)
    }

    /// The IANA types of common files.
    private static let byExtension: [String: String] = [
        // Text
        "txt": "text/plain; charset=utf-8", "log": "text/plain; charset=utf-8", "md": "text/markdown; charset=utf-8",
        "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "csv": "text/csv; charset=utf-8", "ics": "text/calendar; charset=utf-8", "vcf": "text/vcard; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
        // Data
        "json": "application/json", "ndjson": "application/x-ndjson", "jsonl": "application/x-ndjson",
        "geojson": "application/geo+json", "xml": "application/xml", "yaml": "application/yaml",
        "yml": "application/yaml", "bin": "application/octet-stream", "sqlite": "application/vnd.sqlite3",
        "wasm": "application/wasm",
        // Images
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "heic": "image/heic", "heif": "image/heif", "avif": "image/avif", "svg": "image/svg+xml", "bmp": "image/bmp",
        "tif": "image/tiff", "tiff": "image/tiff", "ico": "image/vnd.microsoft.icon",
        // Audio and video
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "wav": "audio/wav", "flac": "audio/flac",
        "ogg": "audio/ogg", "opus": "audio/ogg", "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime",
        "webm": "video/webm", "mkv": "video/matroska", "avi": "video/vnd.avi",
        // Documents
        "pdf": "application/pdf", "rtf": "application/rtf", "epub": "application/epub+zip", "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "odt": "application/vnd.oasis.opendocument.text",
        // Archives
        "zip": "application/zip", "gz": "application/gzip", "tar": "application/x-tar", "zst": "application/zstd",
        "7z": "application/x-7z-compressed", "bz2": "application/x-bzip2", "xz": "application/x-xz",
        // Fonts
        "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
    ]
}
