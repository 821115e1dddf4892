/// Something that a person should know about what was generated: `GENERATED.md` lists all of them.
public struct Note: Sendable, Hashable {
    /// Whether a note is about a guess or an omission.
    public enum Kind: Sendable, Hashable {
        /// A decision without proof in the document, such as an optional property of a sample.
        case guess
        /// A part of the document that can't be generated, or only in part.
        case omission
    }

    /// Whether it is a guess or an omission.
    public var kind: Kind
    /// One sentence, with the reason: "`notes` is optional: null in 1 of 2 samples".
    public var text: String
    /// What part of the input it is about; `nil` if it has no place.
    public var place: SourcePlace?

    /// Creates a note from one sentence, with its reason.
    public init(_ kind: Kind, _ text: String, at place: SourcePlace? = nil) {
        self.kind = kind
        self.text = text
        self.place = place
    }
}
