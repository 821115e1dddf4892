/// Writes the small types that only some clients need: `Day`, `Indirect`, `MultipartFile` and more.
struct SupportWriter {
    private let isPublic: Bool
    private let usage: [GeneratedFile]

    /// - Parameter files: What was written so far: only what it uses is written.
    init(_ options: GeneratorOptions, usedBy files: [GeneratedFile]) {
        isPublic = options.access == .public
        usage = files
    }

    var files: [GeneratedFile] {
        let all = [
            ("Day", ["Day"], SupportText.day), ("Indirect", ["Indirect<"], SupportText.indirect),
            ("MultipartFile", ["MultipartFile"], SupportText.multipartFile),
            ("DynamicKey", ["DynamicKey.", "ObjectShapes<"], SupportText.dynamicKey),
            ("ParameterText", [".joinedText(", ".headerText"], SupportText.parameterText),
            ("CookieText", ["CookieText."], SupportText.cookieText),
            ("JSONText", ["JSONText.", "StyledText.", "TypedPart."], SupportText.jsonText),
            ("OperationServer", [".server(\""], SupportText.operationServer),
            ("StyledText", ["StyledText."], SupportText.styledText),
            ("TypedPart", ["TypedPart."], SupportText.typedPart),
            ("RequestBody+IfAny", [".formIfAny(", ".multipartIfAny {"], SupportText.bodyIfAny),
            ("Endpoint+Reading", ["Endpoint<Void>"], SupportText.endpointReading),
            ("ObjectShapes", ["ObjectShapes<"], SupportText.objectShapes),
            ("HTTPMethod+Token", [".token(\""], SupportText.methodToken),
        ]
        return all.filter { _, marks, _ in marks.contains(where: isUsed) }
            .map { GeneratedFile(path: "\($0.0).swift", text: isPublic ? $0.2 : Self.internalized($0.2)) }
    }

    /// Compares bytes: the search of `String` takes most of the time for large documents.
    private func isUsed(_ mark: String) -> Bool {
        let mark = Array(mark.utf8)
        return usage.contains { Self.contains(mark, in: $0.text) }
    }

    private static func contains(_ mark: [UInt8], in text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let first = mark.first, var end = bytes.indices.last else { return false }
            end -= mark.count - 1
            var start = 0
            while start <= end {
                if bytes[start] == first, bytes[start..<start + mark.count].elementsEqual(mark) { return true }
                start += 1
            }
            return false
        }
    }

    private static func internalized(_ text: String) -> String {
        text.replacing("public import", with: "import").replacing("    public ", with: "    ")
            .replacing("nonisolated public ", with: "nonisolated ").replacing("\npublic ", with: "\n")
    }
}
