extension MediaType {
    /// Whether contents of this type are compressed in themselves, so that compressing them again is wasted.
    package var isCompressed: Bool {
        switch type {
        case "audio", "video": true
        case "image": !subtype.hasSuffix("+xml") && !Self.plainImages.contains(subtype)
        case "font": subtype.hasPrefix("woff")
        case "application":
            Self.archives.contains(subtype) || subtype.hasSuffix("+zip") || subtype.hasSuffix("+gzip")
                || subtype.hasPrefix("vnd.openxmlformats-") || subtype.hasPrefix("vnd.oasis.opendocument.")
        default: false
        }
    }

    private static let plainImages: Set<String> = ["bmp", "x-bmp", "x-ms-bmp", "x-icon", "vnd.microsoft.icon", "tiff"]

    private static let archives: Set<String> = [
        "gzip", "java-archive", "pdf", "vnd.android.package-archive", "vnd.rar", "x-7z-compressed", "x-brotli",
        "x-bzip2",
        "x-gzip", "x-rar-compressed", "x-xz", "zip", "zstd",
    ]
}
