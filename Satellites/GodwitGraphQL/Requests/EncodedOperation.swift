import GodwitCore

/// An operation as the members of its request (GraphQL over HTTP, section 5.1).
struct EncodedOperation: Sendable {
    let document: GraphQLDocument
    /// The variables; empty if there are none.
    private(set) var variables: JSONMembers
    private(set) var files: [UploadedFile] = []

    /// Throws `.encoding` if a variable can't be encoded.
    init<Value>(_ operation: GraphQLOperation<Value>, _ coding: JSONCoding) throws(NetworkError) {
        try self.init(operation.document, operation.variables, coding)
    }

    /// Throws `.encoding` if a variable can't be encoded, or is an upload: no transport of subscriptions has files.
    init<Value>(_ subscription: GraphQLSubscription<Value>, _ coding: JSONCoding) throws(NetworkError) {
        try self.init(subscription.document, subscription.variables, coding)
        guard let file = files.first else { return }
        let reason = "\(file.path) is a GraphQLUpload, which can't be sent with a subscription"
        throw NetworkError(.encoding(reason: reason), phase: .building)
    }

    private init(_ document: GraphQLDocument, _ variables: GraphQLVariables, _ coding: JSONCoding) throws(NetworkError)
    {
        self.document = document
        let uploads = CollectedUploads()
        let encoded = CollectedUploads.$current.withValue(uploads) {
            Result { () throws(NetworkError) in try variables.encoded(with: coding) }
        }
        self.variables = try encoded.get()
        if !uploads.all.isEmpty { takeFiles(uploads) }
    }

    /// Replaces the placeholders of uploads with `null`.
    private mutating func takeFiles(_ uploads: CollectedUploads) {
        let all = uploads.all
        for position in variables.members.indices {
            let member = variables.members[position]
            guard let document = try? JSONDocument(parsing: Data(member.value)) else { continue }
            var text: [UInt8] = []
            Self.copy(document.root, at: "variables.\(member.name)", to: &text) { path, text in
                guard let index = uploads.index(of: text), all.indices.contains(index) else { return false }
                files.append(UploadedFile(path: path, upload: all[index]))
                return true
            }
            variables.members[position].value = text
        }
    }

    /// Copies JSON without the strings that `takes` accepts.
    private static func copy(
        _ element: JSONElement, at path: String, to text: inout [UInt8], takes: (String, String) -> Bool
    ) {
        switch element.kind {
        case .string where element.string.map { takes(path, $0) } == true: text += Array("null".utf8)
        case .array:
            text.append(UInt8(ascii: "["))
            for (index, child) in element.elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                copy(child, at: "\(path).\(index)", to: &text, takes: takes)
            }
            text.append(UInt8(ascii: "]"))
        case .object:
            text.append(UInt8(ascii: "{"))
            for (index, member) in element.members.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                text += JSONMembers.quoted(member.key) + [UInt8(ascii: ":")]
                copy(member.value, at: "\(path).\(member.key)", to: &text, takes: takes)
            }
            text.append(UInt8(ascii: "}"))
        default: text += element.source
        }
    }

    /// How the document is named in the request.
    enum Identification {
        /// The text, or the ID of a trusted document.
        case document
        /// The hash, with the text if the server doesn't have it yet (automatic persisted queries).
        case hash(String, withText: Bool)
    }

    /// The request's members in the order of the specification.
    func members(_ identification: Identification, extensions: [JSONMembers.Member] = []) -> JSONMembers {
        var (members, extensions) = ([JSONMembers.Member](), extensions)
        switch identification {
        case .document:
            if let id = document.id { members.append(.init("documentId", JSONMembers.quoted(id))) }
            if let text = document.text { members.append(.init("query", JSONMembers.quoted(text))) }
        case .hash(let hash, let withText):
            if withText, let text = document.text { members.append(.init("query", JSONMembers.quoted(text))) }
            extensions.append(
                .init("persistedQuery", Array("{\"version\":1,\"sha256Hash\":\"\(hash)\"}".utf8)))
        }
        if let name = document.name { members.append(.init("operationName", JSONMembers.quoted(name))) }
        if !variables.members.isEmpty { members.append(.init("variables", variables.text)) }
        if !extensions.isEmpty { members.append(.init("extensions", JSONMembers(extensions).text)) }
        return JSONMembers(members)
    }
}

/// A file of a request, and where it stands in the variables.
struct UploadedFile: Sendable {
    let path: String
    let upload: GraphQLUpload
}

extension RequestBody {
    /// The form of an operation with files (GraphQL multipart request specification).
    static func uploads(_ operation: JSONMembers, _ files: [UploadedFile]) -> RequestBody {
        .multipart { form in
            let map = files.enumerated().map { index, file in
                JSONMembers.Member(String(index), Array("[".utf8) + JSONMembers.quoted(file.path) + Array("]".utf8))
            }
            form.field("operations", String(decoding: operation.text, as: UTF8.self))
            form.field("map", String(decoding: JSONMembers(map).text, as: UTF8.self))
            for (index, file) in files.enumerated() { file.upload.add(to: &form, as: String(index)) }
        }
    }
}
