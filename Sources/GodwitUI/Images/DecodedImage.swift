/// A picture that was made of received bytes, and what it takes in memory.
public struct DecodedImage<Picture: Sendable>: Sendable {
    /// The picture.
    public let picture: Picture

    /// What it takes in memory, in bytes. For a bitmap that is its size in pixels, times 4; not the size of the file.
    public let byteCount: Int

    /// Makes one.
    public init(_ picture: Picture, byteCount: Int) {
        self.picture = picture
        self.byteCount = byteCount
    }
}
