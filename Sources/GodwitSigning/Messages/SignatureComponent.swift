public import GodwitCore

/// A part of a message that a signature covers (RFC 9421 section 2): a header field, or something derived such as the
/// method.
///
/// ```swift
/// let components: [SignatureComponent] = [.method, .targetURI, .field(.contentType), .queryParameter("page")]
/// ```
public struct SignatureComponent: Sendable, Hashable, Nonisolated {
    /// How the value of a header field enters a signature.
    public enum FieldForm: Sendable, Hashable, Nonisolated {
        /// As it is; several fields of a name are joined by commas.
        case plain
        /// Rewritten by the strict rules for structured fields, which a change of whitespace doesn't affect (section 2.1.1).
        case structured(StructuredFieldType)
        /// One member of a dictionary (section 2.1.2).
        case member(String)
        /// Each value in Base64, for values that are not ASCII or contain commas (section 2.1.3).
        case bytes
    }

    package let item: StructuredItem
    /// The type of a field with `sf`, which the component itself doesn't state.
    let type: StructuredFieldType?

    package init(_ item: StructuredItem, type: StructuredFieldType? = nil) {
        self.item = item
        self.type = type
    }

    private init(_ name: String, _ parameter: (key: String, value: StructuredBareItem)? = nil) {
        var parameters = StructuredParameters()
        if let parameter { parameters.set(parameter.value, for: parameter.key) }
        self.init(StructuredItem(.string(name), parameters))
    }

    /// The method of a request (section 2.2.1).
    public static let method = Self("@method")
    /// The whole URL of a request, without its fragment (section 2.2.2).
    public static let targetURI = Self("@target-uri")
    /// The host, and the port unless it is the scheme's default (section 2.2.3).
    public static let authority = Self("@authority")
    /// `http` or `https` (section 2.2.4).
    public static let scheme = Self("@scheme")
    /// The path and query, as in a request line (section 2.2.5). Prefer ``targetURI``: proxies rewrite the request line.
    public static let requestTarget = Self("@request-target")
    /// The percent-encoded path (section 2.2.6).
    public static let path = Self("@path")
    /// The percent-encoded query with its `?`, which is also there without a query (section 2.2.7).
    public static let query = Self("@query")
    /// The status of a response (section 2.2.9).
    public static let status = Self("@status")

    /// One item of the query, read as a form (section 2.2.8). Signing fails if the name is missing or occurs twice.
    ///
    /// - Parameter name: The name, not encoded.
    public static func queryParameter(_ name: String) -> Self {
        Self("@query-param", ("name", .string(PercentEncoding.encode(name, allowing: .signedFormValue))))
    }

    /// A header field (section 2.1). Signing fails if the message doesn't have it.
    public static func field(_ name: HTTPField.Name, _ form: FieldForm = .plain) -> Self {
        let name = name.canonicalName
        switch form {
        case .plain: return Self(name)
        case .structured(let type): return Self(Self(name, ("sf", .boolean(true))).item, type: type)
        case .member(let key): return Self(name, ("key", .string(key)))
        case .bytes: return Self(name, ("bs", .boolean(true)))
        }
    }

    /// This part of the request, for the signature of its response (section 2.4).
    public var ofRequest: Self {
        var item = item
        item.parameters.set(.boolean(true), for: "req")
        return Self(item, type: type)
    }

    /// The name in lowercase; a derived component's begins with `@`.
    public var name: String {
        if case .string(let name) = item.value { name } else { "" }
    }
}

extension SignatureComponent: CustomStringConvertible {
    /// The component as in `Signature-Input`: `"@query-param";name="page"`.
    public var description: String { item.text ?? "invalid" }
}

/// The types of structured fields (RFC 9651 section 3).
public enum StructuredFieldType: Sendable, Hashable, Nonisolated {
    /// The type that the case is named after: lists, dictionaries and items are in RFC 9651 sections 3.1 to 3.3.
    case item, list, dictionary

    /// The field's value in its strict form; `nil` if it isn't of this type.
    func strictText(_ value: String) -> String? {
        switch self {
        case .item: StructuredParser.item(value)?.text
        case .list: StructuredParser.list(value)?.text
        case .dictionary: StructuredParser.dictionary(value)?.text
        }
    }

    /// The type of a field that a standard defines as a structured one.
    static func known(_ name: String) -> StructuredFieldType? { known[name] }

    private static let known: [String: StructuredFieldType] = [
        "accept-signature": .dictionary, "cache-status": .list, "client-cert": .item, "client-cert-chain": .list,
        "cdn-cache-control": .dictionary, "content-digest": .dictionary, "priority": .dictionary,
        "proxy-status": .list, "repr-digest": .dictionary, "signature": .dictionary, "signature-input": .dictionary,
        "want-content-digest": .dictionary, "want-repr-digest": .dictionary,
    ]
}
