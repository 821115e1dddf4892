import GodwitSupport

/// What hides the values of secret names in text.
package enum SecretScanner {
    /// The replacement of a secret.
    package static let mark = "<redacted>"

    /// Redacts a whole text.
    package static func redacted(
        _ text: some StringProtocol, extraNames: Set<String> = [], isProse: Bool = false
    ) -> String {
        var redactor = SecretRedactor(extraNames: extraNames, isProse: isProse)
        return String(decoding: redactor.finish(text.utf8), as: UTF8.self)
    }

    /// The values that would be redacted in a text, as they are written there, within limits.
    package static func values(
        in bytes: some Sequence<UInt8>, extraNames: Set<String> = [], isProse: Bool = false
    ) -> [String] {
        var text = SecretInput(Array(bytes), isWhole: true)
        var reader = SecretText(extraNames, isProse: isProse)
        reader.read(&text)
        var values: [[UInt8]] = []
        for part in text.hidden {
            if !part.mark.isEmpty { values.append([]) }
            guard let last = values.indices.last, values.count <= 200 else { break }
            values[last] += text.bytes[part.range].prefix(8192)
        }
        return values.prefix(200).map { String(decoding: $0, as: UTF8.self).trimmingBlanks }.filter { !$0.isEmpty }
    }
}

/// Redacts text that comes in chunks: the values of secret names, and secrets that are known.
package struct SecretRedactor: Sendable {
    /// What reads the names in a text.
    private enum Reader: Sendable {
        case text(SecretText)
        case form(SecretForm)
        /// Without names: an image, for example.
        case none
        /// Nothing more is shown.
        case hidden
    }

    /// The most bytes that wait for others. If they don't suffice to decide what is shown, nothing more is.
    private static let limit = 256 << 10
    /// From this number of waiting bytes on, reading them again waits for more.
    private static let few = 4096

    private var reader: Reader
    private var text = SecretInput(isWhole: false)
    private var run: SecretSearchRun?
    /// How many bytes are to be there when they are read again.
    private var needed = 0

    /// - Parameters:
    ///   - isForm: Whether the media type is that of a form. What else a text is shows in its bytes.
    ///   - extraNames: More names of secrets, in lowercase.
    ///   - isProse: Whether the text is a message or a field rather than a body.
    ///   - secrets: The known secrets.
    ///   - scansNames: Whether the values of secret names are redacted. Without that, only the known secrets are.
    package init(
        isForm: Bool = false, extraNames: Set<String> = [], isProse: Bool = false, secrets: SecretSearch? = nil,
        scansNames: Bool = true
    ) {
        reader =
            if !scansNames {
                .none
            } else if isForm {
                .form(SecretForm(extraNames))
            } else {
                .text(SecretText(extraNames, isProse: isProse))
            }
        run = secrets.flatMap { $0.isEmpty ? nil : SecretSearchRun($0) }
    }

    /// Reads the next bytes, and returns those that are known to be shown. Few bytes wait for the next ones.
    package mutating func append(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let scanned = scan(bytes)
        return run?.append(scanned) ?? scanned
    }

    /// Ends the text, and returns the rest.
    ///
    /// - Parameters:
    ///   - last: The last bytes, or all of them.
    ///   - isCut: Whether the text was cut off, perhaps inside a secret.
    package mutating func finish(_ last: some Sequence<UInt8> = [], isCut: Bool = false) -> [UInt8] {
        text.isWhole = true
        var scanned = scan(last)
        switch reader {
        case .text(let text): scanned += text.hiding?.closing ?? []
        case .form(let form): scanned += form.closing
        case .none, .hidden: break
        }
        guard run != nil else { return scanned }
        let start = run?.append(scanned) ?? []
        return start + (run?.finish(isCut: isCut) ?? [])
    }

    private mutating func scan(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        switch reader {
        case .none: return Array(bytes)
        case .hidden: return []
        case .text, .form: text.append(bytes)
        }
        let waiting = text.bytes.count - text.position
        guard waiting >= needed || text.isWhole else { return [] }
        let shown = read()
        let rest = text.bytes.count - text.position
        needed = rest > Self.few ? rest + rest / 4 : 0
        guard rest > Self.limit else { return shown }
        reader = .hidden
        return shown + SecretScanner.mark.utf8
    }

    private mutating func read() -> [UInt8] {
        switch reader {
        case .text(var text):
            reader = .none
            text.read(&self.text)
            reader = .text(text)
        case .form(var form):
            form.read(&text)
            reader = .form(form)
        case .none, .hidden: break
        }
        return text.takeShown()
    }
}
