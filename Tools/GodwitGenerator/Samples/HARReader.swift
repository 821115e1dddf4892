import GodwitWire

/// Reads the calls of an API from a HAR 1.2 file, as browsers and proxies save it.
///
/// Pages, images, scripts, preflights and redirects are skipped, and calls of other hosts.
struct HARReader {
    private let file: String
    private var samples: [Sample] = []
    /// What was skipped with its count, in the order in which it was found.
    private var skipped: [(reason: String, count: Int)] = []
    private var notes: [Note] = []

    /// The samples in the order of the file, and what was left out.
    ///
    /// - Parameter host: The host to take, such as `api.example.com`; `nil` takes the one with the most JSON answers.
    static func read(
        _ file: SourceFile, host: String? = nil
    ) throws(GenerationError) -> (samples: [Sample], notes: [Note]) {
        let document = try DocumentNode(sample: file, maximumBytes: 512 << 20)
        guard let entries = document["log"]?["entries"], case .array(let nodes) = entries.value else {
            throw GenerationError(
                .invalid, "not a HAR file: it has no `log.entries`", at: SourcePlace(file: file.name))
        }
        var reader = HARReader(file: file.name)
        for (index, entry) in nodes.enumerated() { reader.read(entry, number: index + 1) }
        try reader.chooseHost(host)
        guard !reader.samples.isEmpty else {
            throw GenerationError(
                .invalid, "no call with JSON in the HAR file: record one with the bodies of the answers",
                at: SourcePlace(file: file.name))
        }
        let skips = reader.skipped.map { skip in
            Note(.omission, "\(skip.count) × \(skip.reason) skipped", at: SourcePlace(file: file.name))
        }
        return (reader.samples, skips + reader.notes)
    }

    private init(file: String) {
        self.file = file
    }

    private mutating func read(_ entry: DocumentNode, number: Int) {
        guard let request = entry["request"], let response = entry["response"], let url = request["url"]?.string,
            let method = request["method"]?.string?.uppercased()
        else { return skip("entry without a request with a URL and a response") }
        let content = response["content"]
        let type = content?["mimeType"]?.string.map(Sample.mediaType) ?? ""
        let status = response["status"].flatMap(Self.integer) ?? 0
        if let reason = Self.reasonToSkip(method, url, status, type, request) { return skip(reason) }
        let name = "\(file) entry \(number)"
        var sample = Sample(method, url, status: status)
        sample.requestFields = Self.fields(request["headers"])
        sample.responseFields = Self.fields(response["headers"])
        readRequest(request["postData"], name, &sample)
        guard let data = Self.body(content) else { return skip("answer whose body isn't valid Base64") }
        if !data.isEmpty {
            sample.responseBody = SourceFile(name: name, data: data)
            Self.setType(type, of: &sample.responseFields)
        } else if Self.isJSON(type), status != 204 {
            skip("answer without its body")
        }
        samples.append(sample)
    }

    private mutating func readRequest(_ post: DocumentNode?, _ name: String, _ sample: inout Sample) {
        guard let post else { return }
        let type = post["mimeType"]?.string ?? ""
        if Sample.mediaType(sample.requestFields) == nil { Self.setType(type, of: &sample.requestFields) }
        let parameters = post["params"]?.elements ?? []
        if !parameters.isEmpty {
            sample.form = parameters.compactMap { part in
                guard let name = part["name"]?.string else { return nil }
                let file = part["fileName"]?.string
                return Sample.Part(
                    name, value: file == nil ? part["value"]?.string : nil, fileName: file,
                    mediaType: part["contentType"]?.string.map(Sample.mediaType))
            }
        } else if let text = post["text"]?.string, !text.isEmpty {
            sample.requestBody = SourceFile(name: name, data: Data(text.utf8))
        }
    }

    private mutating func skip(_ reason: String) {
        if let index = skipped.firstIndex(where: { $0.reason == reason }) {
            skipped[index].count += 1
        } else {
            skipped.append((reason, 1))
        }
    }

    private mutating func chooseHost(_ wanted: String?) throws(GenerationError) {
        var (hosts, counts) = ([String](), [String: Int]())
        for sample in samples {
            let host = Self.host(sample)
            if counts[host] == nil { hosts.append(host) }
            counts[host, default: 0] += Self.isJSON(Sample.mediaType(sample.responseFields) ?? "") ? 1 : 0
        }
        guard let first = hosts.first else { return }
        let most = hosts.reduce(first) { (counts[$1] ?? 0) > (counts[$0] ?? 0) ? $1 : $0 }
        let host = wanted ?? most
        guard hosts.contains(host) else {
            throw GenerationError(
                .invalid, "no call of the host `\(host)`: there are calls of \(hosts.joined(separator: ", "))",
                at: SourcePlace(file: file))
        }
        for other in hosts where other != host {
            let count = samples.count { Self.host($0) == other }
            let text = "\(count) × call of `\(other)` skipped: `\(host)` was \(wanted == nil ? "guessed" : "chosen")"
            notes.append(Note(wanted == nil ? .guess : .omission, text, at: SourcePlace(file: file)))
        }
        samples.removeAll { Self.host($0) != host }
    }
}

extension HARReader {
    private static func reasonToSkip(
        _ method: String, _ url: String, _ status: Int, _ type: String, _ request: DocumentNode
    ) -> String? {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        if scheme != "https" && scheme != "http" { return "call that isn't HTTP" }
        if method == "OPTIONS" { return "preflight" }
        if method == "CONNECT" || status == 0 { return "call without an answer" }
        if status == 304 { return "answer from the cache" }
        if (300..<400).contains(status) { return "redirect" }
        let kinds = [
            ("image/", "image"), ("font/", "font"), ("video/", "video"), ("audio/", "audio"),
            ("text/css", "style sheet"),
            ("text/html", "page"), ("application/xhtml", "page"), ("application/wasm", "script"),
        ]
        if let kind = kinds.first(where: { type.hasPrefix($0.0) }) { return kind.1 }
        if type.contains("javascript") || type.contains("ecmascript") { return "script" }
        if type.contains("font") { return "font" }
        let sent = request["postData"]?["mimeType"]?.string.map(Sample.mediaType) ?? ""
        let isReadable =
            sent.isEmpty || isJSON(sent) || sent.hasPrefix("text/") || sent == SampleBody.form
            || sent == SampleBody.multipart
        return isReadable ? nil : "request with \(sent)"
    }

    private static func isJSON(_ type: String) -> Bool { type.hasSuffix("json") }

    private static func host(_ sample: Sample) -> String {
        let origin = SampleTarget(sample.target ?? "").origin ?? ""
        return origin.split(separator: "/").last.map(String.init) ?? ""
    }

    private static func integer(_ node: DocumentNode) -> Int? {
        if case .number(let text) = node.value { Int(text) } else { nil }
    }

    private static func fields(_ headers: DocumentNode?) -> [Sample.Field] {
        headers?.elements.compactMap { header in
            guard let name = header["name"]?.string, !name.hasPrefix(":") else { return nil }
            return Sample.Field(name, header["value"]?.string ?? "")
        } ?? []
    }

    private static func setType(_ type: String, of fields: inout [Sample.Field]) {
        guard !type.isEmpty, Sample.mediaType(fields) == nil else { return }
        fields.append(Sample.Field("Content-Type", type))
    }

    /// Empty without a body; `nil` if it can't be decoded.
    private static func body(_ content: DocumentNode?) -> Data? {
        let text = content?["text"]?.string ?? ""
        return content?["encoding"]?.string?.lowercased() == "base64" ? Data(wrappedBase64: text) : Data(text.utf8)
    }
}
