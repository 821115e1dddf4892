/// A file that a document refers to.
public struct FileReference: Sendable, Hashable {
    /// Its path or URL.
    public var name: String
    /// Where the document refers to it first.
    public var place: SourcePlace?

    public init(name: String, place: SourcePlace? = nil) {
        self.name = name
        self.place = place
    }
}
