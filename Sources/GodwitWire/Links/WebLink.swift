/// A link that a response carries in its fields (RFC 8288).
///
/// ```text
/// Link: <https://api.example.com/articles?page=3>; rel="next"
/// ```
public struct WebLink: Sendable, Hashable {
    /// A parameter of a link, as it was sent.
    public struct Parameter: Sendable, Hashable {
        /// The name in lower case.
        public let name: String

        /// The value without quotes; empty where there is none.
        public let value: String
    }

    /// The reference between the angle brackets; may be relative to the URL of the response.
    public let target: String

    /// How the target relates to the response, in lower case: `next`, `prev`, `describedby`.
    ///
    /// Where `rel` is repeated, only the first counts (RFC 8288 section 3.3). Empty where there is none.
    public let relations: Set<String>

    /// The parameters in order, `rel` among them.
    public let parameters: [Parameter]

    /// The title for people; `title*` goes before `title` (RFC 8288 section 3.4.1). `nil` if the link has none.
    public var title: String? { parameter("title") }

    /// The value of a parameter, the first if it is repeated.
    ///
    /// A parameter that is also there with a character set, such as `title*`, is read from that one (RFC 8187), unless
    /// it cannot be decoded. To get a value as it was sent, look into ``parameters``.
    ///
    /// - Parameter name: The parameter's name, compared without case.
    public func parameter(_ name: String) -> String? {
        sent(name + "*").flatMap(ExtendedValue.decoded) ?? sent(name)
    }

    private func sent(_ name: String) -> String? {
        parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    init(target: String, parameters: [Parameter]) {
        self.target = target
        self.parameters = parameters
        let names = parameters.first { $0.name == "rel" }?.value.split { $0 == " " || $0 == "\t" } ?? []
        relations = Set(names.map { String($0).asciiLowercased })
    }
}
