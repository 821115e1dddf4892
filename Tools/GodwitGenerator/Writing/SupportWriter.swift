/// Writes the small types that only some clients need: `Day`, `Indirect`, `MultipartFile` and more.
struct SupportWriter {
    private let isPublic: Bool
    private let usage: String

    /// - Parameter files: What was written so far: only what it uses is written.
    init(_ options: GeneratorOptions, usedBy files: [GeneratedFile]) {
        isPublic = options.access == .public
        usage = files.map(\.text).joined()
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
            ("Endpoint+Reading", ["Endpoint<Void>"], SupportText.endpointReading),
            ("ObjectShapes", ["ObjectShapes<"], SupportText.objectShapes),
            ("HTTPMethod+Token", [".token(\""], SupportText.methodToken),
        ]
        return all.filter { _, marks, _ in marks.contains { usage.contains($0) } }
            .map { GeneratedFile(path: "\($0.0).swift", text: isPublic ? $0.2 : Self.internalized($0.2)) }
    }

    private static func internalized(_ text: String) -> String {
        text.replacing("public import", with: "import").replacing("    public ", with: "    ")
            .replacing("nonisolated public ", with: "nonisolated ").replacing("\npublic ", with: "\n")
    }
}
