/// A non-JSON error body: plain text, XML, or an HTML page.
struct ErrorText {
    /// Longer text isn't an explanation; the rest isn't read.
    private static let longest = 4096
    /// Maximum characters kept of plain text.
    private static let longestText = 1000

    private let text: Substring
    private let type: MediaType?

    /// `nil` if the body isn't text.
    init?(_ body: Data, _ head: HTTPResponseHead) {
        var start = body.prefix(Self.longest)
        // The cut may be inside a multibyte character.
        for _ in 0..<4 where String(validating: start, as: UTF8.self) == nil && body.count > Self.longest {
            start = start.dropLast()
        }
        guard let whole = String(validating: start, as: UTF8.self) else { return nil }
        text = whole.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard !text.isEmpty, !text.unicodeScalars.contains(where: Self.isBinary) else { return nil }
        type = head.fields.agreedValue(of: .contentType).flatMap(MediaType.init(_:))
    }

    /// The explanation in plain text, or in `Message` and `Code` of XML (Amazon S3); `nil` for pages and truncated
    /// JSON.
    var problem: ProblemDetails? {
        var problem = ProblemDetails()
        if text.hasPrefix("<") {
            guard isXML, !isPage else { return nil }
            problem.detail = ["message", "detail", "faultstring"].lazy.compactMap(element).first
            problem.code = element("code")
        } else {
            guard type.map({ $0.type == "text" && $0.subtype != "event-stream" }) ?? true else { return nil }
            guard text.first != "{", text.first != "[", type?.isPage != true else { return nil }
            problem.detail = String(text.prefix(Self.longestText))
        }
        return problem == ProblemDetails() ? nil : problem
    }

    /// The title of an HTML page, for a log.
    var pageTitle: String? {
        isPage ? element("title") : nil
    }

    /// Some servers call their XML a page.
    private var isXML: Bool { type?.isXML == true || text.hasPrefix("<?xml") }

    private var isPage: Bool {
        let start = String(text.prefix(300)).asciiLowercased
        return start.contains("<html") || start.contains("<!doctype html") || type?.isPage == true && !isXML
    }

    /// The text of the first element with this name, in lowercase.
    private func element(_ name: String) -> String? {
        for piece in text.split(separator: "<", omittingEmptySubsequences: true) {
            guard let end = piece.firstIndex(of: ">") else { continue }
            let tag = piece[..<end].prefix { !$0.isWhitespace }
            guard tag.split(separator: ":").last.map({ String($0).asciiLowercased == name }) == true else { continue }
            let content = Self.unescaped(String(piece[end...].dropFirst())).trimmingBlanks
            if !content.isEmpty { return content }
        }
        return nil
    }

    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    private static func isBinary(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && !scalar.properties.isWhitespace && scalar != "\u{1B}"
    }
}

extension MediaType {
    fileprivate var isXML: Bool { subtype == "xml" || subtype.hasSuffix("+xml") }
    fileprivate var isPage: Bool { subtype == "html" || subtype == "xhtml+xml" }
}
