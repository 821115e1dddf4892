import GodwitCore

/// A message as a signature sees it (RFC 9421 section 2).
package enum SignedMessage: Sendable {
    case request(SignedRequest)
    /// With the request that it answers, for components with `req`.
    case response(HTTPStatus, HTTPFields, to: SignedRequest?)
}

/// The head of a request, with the fields that the transport writes.
package struct SignedRequest: Sendable {
    package let method: HTTPMethod
    package let url: HTTPURL
    package let fields: HTTPFields

    package init(_ method: HTTPMethod, _ url: HTTPURL, _ fields: HTTPFields) {
        self.method = method
        self.url = url
        self.fields = fields
    }
}

extension SignatureParameters {
    /// The bytes that are signed (RFC 9421 section 2.5).
    package func base(of message: SignedMessage) throws(SignatureFault) -> Data {
        var seen: Set<String> = []
        var base = ""
        for component in components {
            guard let identifier = component.item.text, !component.name.isEmpty else {
                throw SignatureFault("a component has a name or parameter that isn't ASCII text")
            }
            guard seen.insert(identifier).inserted else { throw SignatureFault("\(identifier) is covered twice") }
            let value = try message.value(of: component)
            guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
                throw SignatureFault("the value of \(identifier) isn't ASCII; cover its bytes (;bs) instead")
            }
            base += "\(identifier): \(value)\n"
        }
        guard let parameters = list.text else { throw SignatureFault("a parameter isn't ASCII text") }
        return Data("\(base)\"@signature-params\": \(parameters)".utf8)
    }
}

extension SignedMessage {
    fileprivate func value(of component: SignatureComponent) throws(SignatureFault) -> String {
        let isOfRequest = try component.isOfRequest
        switch (self, isOfRequest) {
        case (.request, true): throw SignatureFault("\(component) is for responses")
        case (.request(let request), false): return try request.value(of: component)
        case (.response(_, _, let request?), true): return try request.value(of: component)
        case (.response(_, _, nil), true): throw SignatureFault("\(component) needs the request")
        case (.response(let status, let fields, _), false):
            if component.name == "@status" { return "\(status.code)" }
            guard !component.name.hasPrefix("@") else { throw component.unavailable }
            return try component.value(in: fields)
        }
    }
}

extension SignedRequest {
    fileprivate func value(of component: SignatureComponent) throws(SignatureFault) -> String {
        guard component.name.hasPrefix("@") else { return try component.value(in: fields) }
        if component.name == "@query-param" { return try queryParameter(component) }
        guard component.item.parameters.keys.allSatisfy({ $0 == "req" }) else { throw component.unavailable }
        switch component.name {
        case "@method": return method.rawValue
        case "@target-uri": return url.absoluteString
        case "@authority": return url.origin.hostAndPort
        case "@scheme": return url.scheme.rawValue
        case "@request-target": return String(url.target)
        case "@path": return url.path
        case "@query": return "?\(url.query ?? "")"
        default: throw component.unavailable
        }
    }

    private func queryParameter(_ component: SignatureComponent) throws(SignatureFault) -> String {
        guard case .string(let name)? = component.item.parameters["name"],
            component.item.parameters.keys.allSatisfy({ $0 == "name" || $0 == "req" })
        else { throw component.unavailable }
        let values = FormURLEncoded.decode(url.query ?? "").items.filter {
            PercentEncoding.encode($0.name, allowing: .signedFormValue) == name
        }
        guard values.count == 1, let value = values.first?.value else {
            throw SignatureFault("the query has \(values.isEmpty ? "no" : "more than one") item for \(component)")
        }
        return PercentEncoding.encode(value, allowing: .signedFormValue)
    }
}

extension SignatureComponent {
    fileprivate var unavailable: SignatureFault { SignatureFault("\(self) isn't a part of this message") }

    fileprivate var isOfRequest: Bool {
        get throws(SignatureFault) {
            switch item.parameters["req"] {
            case nil: return false
            case .boolean(true): return true
            default: throw unavailable
            }
        }
    }

    /// The value of a field (section 2.1).
    fileprivate func value(in fields: HTTPFields) throws(SignatureFault) -> String {
        guard name == name.asciiLowercased, let field = HTTPField.Name(name) else { throw unavailable }
        guard let whole = fields[field] else { throw SignatureFault("the message has no \(self)") }
        let form = item.parameters.entries.filter { $0.key != "req" }
        // `key` implies `sf`; no other two forms go together.
        let isMember = form.count == 2 && item.parameters["sf"] == .boolean(true) && item.parameters["key"] != nil
        switch form.first(where: { !isMember || $0.key != "sf" }) {
        case nil: return whole
        case let entry? where form.count == 1 || isMember:
            return try value(whole, fields.values(of: field), entry.key, entry.value)
        default: throw SignatureFault("\(self) has parameters that exclude each other")
        }
    }

    private func value(
        _ whole: String, _ values: [String], _ form: String, _ parameter: StructuredBareItem
    ) throws(SignatureFault) -> String {
        switch (form, parameter) {
        case ("sf", .boolean(true)):
            guard let type = type ?? .known(name) else {
                throw SignatureFault("\(self): the type of this structured field isn't known")
            }
            guard let text = type.strictText(whole) else { throw SignatureFault("\(self) isn't a structured field") }
            return text
        case ("key", .string(let key)):
            guard let text = StructuredParser.dictionary(whole)?[key]?.text else {
                throw SignatureFault("the message has no \(self)")
            }
            return text
        case ("bs", .boolean(true)):
            return values.map { StructuredBareItem.bytes(FieldText.bytes(of: $0)).text ?? "" }.joined(separator: ", ")
        case ("tr", _): throw SignatureFault("\(self): trailers aren't signed")
        default: throw unavailable
        }
    }
}
