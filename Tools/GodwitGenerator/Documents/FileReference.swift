/// A file that a document refers to.
public struct FileReference: Sendable, Hashable {
    /// The path or URL of the file.
    public var name: String
    /// Where the document refers to it first.
    public var place: SourcePlace?

    /// Creates a reference to a file.
    public init(name: String, place: SourcePlace? = nil) {
        self.name = name
        self.place = place
    }
}
