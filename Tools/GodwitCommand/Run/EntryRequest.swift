import Godwit

/// Builds the request of an entry with the values of its variables.
struct EntryRequest {
    let entry: RequestEntry
    let variables: Variables
    let root: FileRoot

    /// The URL, completed as on the command line.
    func url() throws(CheckFault) -> String {
        let text = try entry.url.text(variables)
        if let url = try? HTTPURL(RequestArguments.completed(text)) { return url.absoluteString }
        throw CheckFault("\(CheckValue.shortened(text)) is not an http or https URL")
    }

    func endpoint(user: String?) throws(CheckFault) -> Endpoint<Data> {
        var endpoint = Endpoint<Data>(
            method: entry.method, path: "", query: try items(entry.query), accept: "*/*"
        ) { data, _, _ throws(NetworkError) in data }
        for pair in entry.fields { endpoint.fields.append(try field(pair)) }
        if !entry.cookies.isEmpty {
            var pairs: [String] = []
            for pair in entry.cookies {
                pairs.append("\(try pair.name.text(variables))=\(try pair.value.text(variables))")
            }
            endpoint.fields.append(try field("Cookie", pairs.joined(separator: "; ")))
        }
        if let credentials = try credentials() ?? user {
            endpoint.fields[.authorization] = "Basic \(Data(credentials.utf8).base64EncodedString())"
        }
        endpoint.body = try body()
        return endpoint
    }

    /// Whether the body has a type that must be sent unless the file names one.
    var hasBodyType: Bool {
        switch entry.body {
        case .json, .text(_, type: .some): true
        case .text, .bytes, .file: false
        case nil: true
        }
    }

    var namesContentType: Bool {
        entry.fields.contains { $0.name.literal?.lowercased() == "content-type" }
    }

    private func credentials() throws(CheckFault) -> String? {
        guard let pair = entry.basicAuth else { return nil }
        return "\(try pair.name.text(variables)):\(try pair.value.text(variables))"
    }

    private func field(_ pair: RequestEntry.KeyValue) throws(CheckFault) -> HTTPField {
        try field(try pair.name.text(variables), try pair.value.text(variables))
    }

    private func field(_ name: String, _ value: String) throws(CheckFault) -> HTTPField {
        guard let fieldName = HTTPField.Name(name), let field = HTTPField(name: fieldName, value: value) else {
            throw CheckFault("\(CheckValue.shortened(name)) is not a valid header field")
        }
        return field
    }

    private func items(_ pairs: [RequestEntry.KeyValue]) throws(CheckFault) -> QueryItems {
        var items = QueryItems()
        for pair in pairs { items.append(try pair.name.text(variables), try pair.value.text(variables)) }
        return items
    }

    private func body() throws(CheckFault) -> RequestBody? {
        switch entry.body {
        case .json(let pieces): return .data(Data(try FileBody.text(of: pieces, variables).utf8), type: .json)
        case .text(let template, let type):
            return .data(Data(try template.text(variables).utf8), type: type ?? .octetStream)
        case .bytes(let data): return .data(data)
        case .file(let path): return .file(at: try root.file(try path.text(variables)), type: .octetStream)
        case nil: break
        }
        if !entry.multipart.isEmpty { return .multipart(try multipart()) }
        return entry.form.isEmpty ? nil : .form(try items(entry.form))
    }

    private func multipart() throws(CheckFault) -> MultipartForm {
        var form = MultipartForm()
        for part in entry.multipart {
            let name = try part.name.text(variables)
            switch part.content {
            case .text(let text): form.field(name, try text.text(variables))
            case .file(let path, let type):
                form.file(name, at: try root.file(try path.text(variables)), type: type)
            }
        }
        return form
    }
}
