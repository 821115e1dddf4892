import GodwitWire

/// Reads a call from a curl command line, as developer tools copy it (for bash).
enum CurlReader {
    /// Gives the content of a file that the command names with `@`.
    typealias FileContent = (String) throws(GenerationError) -> Data

    /// The request that a command sends; its answer is unknown. Options that don't change the request are ignored.
    ///
    /// - Parameter content: Reads the files of `-d @FILE`; without it, they are an error.
    static func read(_ line: String, content: FileContent? = nil) throws(GenerationError) -> Sample {
        do throws(CurlCommand.Fault) {
            let command = try CurlCommand(parsing: line, isSample: true) { name throws(CurlCommand.Fault) in
                String(decoding: try read(name, content), as: UTF8.self)
            }
            return try sample(command, content)
        } catch {
            throw GenerationError(.invalid, "the curl command: \(error.reason)")
        }
    }

    private static func read(_ name: String, _ content: FileContent?) throws(CurlCommand.Fault) -> Data {
        guard let content else {
            throw CurlCommand.Fault(reason: "it reads the file `\(name)`: give its content instead")
        }
        do throws(GenerationError) {
            return try content(name)
        } catch {
            throw CurlCommand.Fault(reason: error.reason)
        }
    }

    private static func sample(_ command: CurlCommand, _ content: FileContent?) throws(CurlCommand.Fault) -> Sample {
        var sample = Sample(command.method, command.url)
        sample.requestFields = command.fields.filter { !$0.value.isEmpty }.map { Sample.Field($0.name, $0.value) }
        switch command.content {
        case .none: break
        case .text(let text): sample.requestBody = body(Data(text.utf8))
        case .file(let path): sample.requestBody = body(try read(path, content))
        case .form(let parts):
            sample.form = parts.map(part)
            if Sample.mediaType(sample.requestFields) == nil {
                sample.requestFields.append(Sample.Field("Content-Type", SampleBody.multipart))
            }
        }
        return sample
    }

    private static func body(_ data: Data) -> SourceFile {
        SourceFile(name: "the body of the curl command", data: data)
    }

    /// The file of a part isn't read.
    private static func part(_ part: CurlCommand.FormPart) -> Sample.Part {
        guard part.isFile else { return Sample.Part(part.name, value: part.value, mediaType: part.type) }
        let file = part.value.split(separator: "/").last.map(String.init)
        return Sample.Part(
            part.name, fileName: part.fileName ?? file ?? "file", mediaType: part.type.map(Sample.mediaType))
    }
}
