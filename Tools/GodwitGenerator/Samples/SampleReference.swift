import GodwitSupport

/// What a sample on the command line says, before its files are read.
public struct SampleReference: Sendable, Hashable {
    /// The method in capitals; `nil` if only files are given.
    public var method: String?
    /// A URL or a path; `nil` if the name of the file says it.
    public var target: String?
    /// The file with the body of the request.
    public var requestFile: String?
    /// The fields of a form, or the parts of a multipart body. Its files aren't read.
    public var form: [Sample.Part] = []
    /// The status code after `=>`, from 100 to 599; `nil` if there is none.
    public var status: Int?
    /// The files with answers, each of them one sample. Without any, and with a URL, the endpoint is to be called.
    public var files: [String] = []

    /// The samples of these files, in their order; one without an answer if there are none.
    public func samples(request: SourceFile?, answers: [SourceFile]) -> [Sample] {
        let bodies: [SourceFile?] = answers.isEmpty ? [nil] : answers
        return bodies.map { body in
            var sample = Sample(method, target, status: status, answer: body)
            sample.requestBody = request
            sample.requestFields = Sample.fields(for: request)
            sample.responseFields = Sample.fields(for: body)
            sample.form = form
            return sample
        }
    }
}

extension Sample {
    /// Reads a sample as it is typed on the command line:
    ///
    ///     [METHOD] TARGET [< FILE | < NAME=VALUE NAME=@FILE…] [=> [STATUS] [FILE,FILE…]]
    ///     FILE,FILE…
    ///
    /// ```
    /// sightings.json                                       GET /sightings, from the file's name
    /// GET /articles => page1.json,page2.json               two samples of one operation
    /// GET https://api.example.com/v1/articles/42           an endpoint to be called
    /// POST /articles < draft.json => 201 article.json      with the request's body
    /// PUT /articles/42/photo < owl.jpg => 204              a body of the type that the file's extension says
    /// POST /photos < photo=@owl.jpg by=Ann => photo.json   a form; multipart if it has a file
    /// DELETE /articles/42 => 204                           an answer without a body
    /// ```
    ///
    /// `-` is standard input. Spaces around `<`, `=>` and commas don't count. A form's values are quoted as in a shell.
    public static func parse(_ text: String) throws(GenerationError) -> SampleReference {
        let halves = split(trimmed(text), at: "=>")
        guard halves.count <= 2 else { throw invalid(text, "`=>` occurs twice") }
        var reference = SampleReference()
        let hasAnswer = halves.count == 2
        try readRequest(trimmed(halves[0]), hasAnswer: hasAnswer, of: text, into: &reference)
        if hasAnswer { try readAnswer(trimmed(halves[1]), of: text, into: &reference) }
        return reference
    }

    private static func readRequest(
        _ half: String, hasAnswer: Bool, of text: String, into reference: inout SampleReference
    ) throws(GenerationError) {
        let sides = half.split(separator: "<", omittingEmptySubsequences: false).map { trimmed(String($0)) }
        guard sides.count <= 2 else { throw invalid(text, "`<` occurs twice") }
        if sides.count == 2 {
            try readBody(sides[1], of: text, into: &reference)
        }
        let words = sides[0].split(separator: " ").map(String.init)
        guard let first = words.first else { throw invalid(text, "a path or a file is missing") }
        if isMethod(first) {
            guard words.count == 2 else {
                throw invalid(text, words.count == 1 ? "a path must follow \(first)" : "a path has no spaces")
            }
            reference.method = first.uppercased()
            reference.target = words[1]
        } else if isURL(sides[0]) || hasAnswer || sides.count == 2 {
            guard words.count == 1 else { throw invalid(text, "`\(first)` is not a method of HTTP") }
            reference.method = sides.count == 2 ? "POST" : "GET"
            reference.target = first
        } else {
            reference.files = try files(sides[0], of: text)
        }
        if let target = reference.target, !isURL(target), !target.hasPrefix("/") {
            throw invalid(text, "the path `\(target)` must begin with `/`")
        }
    }

    private static func words(_ side: String, of text: String) throws(GenerationError) -> [String] {
        do throws(ShellWords.Fault) {
            return try ShellWords.split(side)
        } catch {
            throw invalid(text, "\(error)")
        }
    }

    private static func readBody(
        _ side: String, of text: String, into reference: inout SampleReference
    ) throws(GenerationError) {
        guard !side.isEmpty else { throw invalid(text, "a file must follow `<`") }
        guard isField(side.prefix { $0 != " " }) else { return reference.requestFile = side }
        for word in try words(side, of: text) {
            guard isField(word[...]), let sign = word.firstIndex(of: "=") else {
                throw invalid(text, "`\(word)` is not a field such as `name=value` or `name=@file`")
            }
            let (name, value) = (String(word[..<sign]), word[word.index(after: sign)...])
            if value.first == "@" {
                let file = String(value.dropFirst())
                reference.form.append(Part(name, fileName: file, mediaType: usualType(ofFile: file)))
            } else {
                reference.form.append(Part(name, value: String(value)))
            }
        }
    }

    /// Whether a word begins with a name and `=`. A file with such a name can be given as `./a=b.json`.
    private static func isField(_ word: Substring) -> Bool {
        let name = word.prefix { $0.isLetter || $0.isNumber || "_-.[]".contains($0) }
        return !name.isEmpty && !name.hasPrefix(".") && name.endIndex < word.endIndex && word[name.endIndex] == "="
    }

    private static func readAnswer(
        _ half: String, of text: String, into reference: inout SampleReference
    ) throws(GenerationError) {
        let first = half.prefix { $0 != " " }
        var rest = half
        if first.allSatisfy({ $0.isASCII && $0.isNumber }), let status = Int(first) {
            guard (100...599).contains(status) else { throw invalid(text, "\(first) is not a status of HTTP") }
            reference.status = status
            rest = trimmed(String(half.dropFirst(first.count)))
        }
        guard !rest.isEmpty || reference.status != nil else {
            throw invalid(text, "a status or a file must follow `=>`")
        }
        if !rest.isEmpty { reference.files = try files(rest, of: text) }
    }

    private static func files(_ list: String, of text: String) throws(GenerationError) -> [String] {
        let names = list.split(separator: ",", omittingEmptySubsequences: false).map { trimmed(String($0)) }
        guard !names.contains("") else { throw invalid(text, "the name of a file is missing next to a comma") }
        return names
    }

    private static func isMethod(_ word: String) -> Bool {
        let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY"]
        return methods.contains(word) || methods.contains { $0.lowercased() == word }
    }

    private static func isURL(_ text: String) -> Bool {
        text.lowercased().hasPrefix("https://") || text.lowercased().hasPrefix("http://")
    }

    private static func invalid(_ text: String, _ reason: String) -> GenerationError {
        GenerationError(.invalid, "\(reason) in the sample `\(text)`; write it as `GET /articles => articles.json`")
    }

    private static func split(_ text: String, at arrow: String) -> [String] {
        var (parts, rest) = ([String](), Substring(text))
        while let range = rest.firstRange(of: arrow) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
