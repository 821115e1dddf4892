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
            ("Day", "Day", SupportText.day), ("Indirect", "Indirect<", SupportText.indirect),
            ("MultipartFile", "MultipartFile", SupportText.multipartFile),
            ("DynamicKey", "DynamicKey.", SupportText.dynamicKey),
            ("ParameterText", ".joinedText(", SupportText.parameterText),
            ("CookieText", "CookieText.", SupportText.cookieText),
            ("JSONText", "JSONText.", SupportText.jsonText),
            ("OperationServer", ".server(\"", SupportText.operationServer),
            ("StyledText", "StyledText.", SupportText.styledText),
            ("TypedPart", "TypedPart.", SupportText.typedPart),
            ("Endpoint+Reading", "Endpoint<Void>", SupportText.endpointReading),
            ("ObjectShapes", "ObjectShapes<", SupportText.objectShapes),
            ("HTTPMethod+Token", ".token(\"", SupportText.methodToken),
        ]
        return all.filter { name, mark, _ in
            usage.contains(mark) || name == "ParameterText" && usage.contains(".headerText")
                || name == "JSONText" && (usage.contains("StyledText.") || usage.contains("TypedPart."))
                || name == "DynamicKey" && usage.contains("ObjectShapes<")
        }
        .map { GeneratedFile(path: "\($0.0).swift", text: isPublic ? $0.2 : Self.internalized($0.2)) }
    }

    private static func internalized(_ text: String) -> String {
        text.replacing("public import", with: "import").replacing("    public ", with: "    ")
            .replacing("nonisolated public ", with: "nonisolated ").replacing("\npublic ", with: "\n")
    }
}
