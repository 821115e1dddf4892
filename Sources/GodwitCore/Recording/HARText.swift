/// Converts requests and responses to parts of an archive, without secrets.
struct HARText: Sendable {
    private var redaction: Redaction
    private let bodyLimit: Int

    init(_ options: HAROptions) {
        redaction = Redaction(fields: options.redactedFields, names: options.redactedNames)
        bodyLimit = max(0, options.bodyLimit)
    }

    /// The same for one call, with names of the call's credentials.
    func adding(_ fields: Set<HTTPField.Name>, _ queryItems: Set<String>) -> HARText {
        var text = self
        text.redaction = redaction.adding(fields, queryItems)
        return text
    }

    /// The same for a request, whose secrets and those of its call it doesn't show.
    func adding(_ request: HTTPRequest?) -> HARText {
        guard let request else { return self }
        var text = self
        text.redaction = redaction.adding(request)
        return text
    }

    /// A message without secrets.
    func message(_ error: NetworkError) -> String { redaction.hidden(error.summary) }

    /// - Parameter added: The fields that the transport adds.
    func request(_ request: HTTPRequest, adding added: HTTPFields, _ body: HAR.SentBody) -> HAR.Request {
        HAR.Request(
            method: request.method.rawValue, url: redaction.foreignURL(request.url), httpVersion: "",
            cookies: cookies(of: request.fields), headers: headers(request.fields.joined(by: added)),
            queryString: query(of: request.url), postData: body.data, bodySize: body.size)
    }

    /// What is recorded of a request's body.
    func body(of request: HTTPRequest) -> HAR.SentBody {
        guard let body = request.body else { return HAR.SentBody(data: nil, size: 0) }
        return HAR.SentBody(
            data: adding(request).content(of: body, request.fields).map(postData), size: body.length ?? -1)
    }

    func response(_ head: HTTPResponseHead, _ content: HAR.Content) -> HAR.Response {
        let fields = head.fields
        return HAR.Response(
            status: head.status.code, statusText: "", httpVersion: "", cookies: setCookies(of: fields),
            headers: headers(fields), content: content,
            redirectURL: fields[.location].map(redaction.references) ?? "", bodySize: -1)
    }

    /// What stands in an entry's response while there is none, or where none came.
    static let noResponse = HAR.Response(
        status: 0, statusText: "", httpVersion: "", cookies: [], headers: [],
        content: HAR.Content(size: 0, mimeType: ""), redirectURL: "", bodySize: -1)

    private func headers(_ fields: HTTPFields) -> [HAR.Pair] {
        fields.map { HAR.Pair(name: $0.name.rawName, value: redaction.value(of: $0)) }
    }

    private func query(of url: HTTPURL) -> [HAR.Pair] {
        guard let query = url.query else { return [] }
        return query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.decoded(parts.first ?? "")
            let value = parts.count > 1 ? Self.decoded(parts[1]) : ""
            return HAR.Pair(
                name: name, value: redaction.hidesQueryItem(name, value) ? Redaction.mark : redaction.hidden(value))
        }
    }

    private static func decoded(_ text: Substring) -> String {
        PercentEncoding.decode(text) ?? String(text)
    }

    private func cookies(of fields: HTTPFields) -> [HAR.Cookie] {
        fields.filter { $0.name == .cookie }.flatMap { $0.value.split(separator: ";") }.map { pair in
            // One without a name is a value (RFC 6265bis section 5.6).
            let name = pair.firstIndex(of: "=").map { pair[..<$0].drop { $0 == " " } } ?? ""
            return HAR.Cookie(name: String(name), value: Redaction.mark)
        }
    }

    private func setCookies(of fields: HTTPFields) -> [HAR.Cookie] {
        fields.filter { $0.name == .setCookie }.compactMap { try? SetCookie($0.value) }.map { cookie in
            HAR.Cookie(
                name: cookie.name, value: Redaction.mark, path: cookie.path, domain: cookie.domain,
                expires: cookie.expires.flatMap({ ISO8601.text($0) }), httpOnly: cookie.isHTTPOnly,
                secure: cookie.isSecure)
        }
    }

    private func postData(_ content: HAR.Content) -> HAR.PostData {
        HAR.PostData(
            mimeType: content.mimeType, params: [], text: content.text ?? "",
            comment: content.encoding.map { "the text is \($0)" } ?? content.comment)
    }

    func responseContent(_ body: HTTPBody, _ fields: HTTPFields) -> HAR.Content {
        content(of: body, fields) ?? HAR.Content(size: 0, mimeType: fields[.contentType] ?? "")
    }

    /// The content of a streamed body.
    ///
    /// - Parameters:
    ///   - start: The first bytes.
    ///   - size: The number of bytes that were read.
    ///   - isWhole: Whether they were read to the end.
    func responseContent(_ start: Data, size: Int64, isWhole: Bool, _ fields: HTTPFields) -> HAR.Content {
        let type = fields[.contentType] ?? ""
        var content = HAR.Content(size: size, mimeType: type)
        if size > start.count { content.comment = "cut off after \(start.count) bytes" }
        if !isWhole { content.comment = "not read to its end" }
        guard !start.isEmpty else { return content }
        (content.text, content.encoding) = redaction.text(
            of: start, MediaType(type), limit: bodyLimit, isCut: size > start.count)
        return content
    }

    /// `nil` for an empty body.
    private func content(of body: HTTPBody, _ fields: HTTPFields) -> HAR.Content? {
        let type = fields[.contentType] ?? ""
        guard case .bytes(let data) = body.storage else {
            return HAR.Content(size: body.length ?? -1, mimeType: type, comment: "not recorded: a stream or a file")
        }
        guard !data.isEmpty else { return nil }
        var content = HAR.Content(size: Int64(data.count), mimeType: type)
        guard bodyLimit > 0 else { return content }
        if data.count > bodyLimit { content.comment = "cut off after \(bodyLimit) bytes" }
        (content.text, content.encoding) = redaction.text(of: data, MediaType(type), limit: bodyLimit)
        return content
    }
}
