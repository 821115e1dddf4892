// What Godwit uses of Apple's CoreGraphics, declared so that its callers can be type-checked elsewhere. Nothing of it works.

public final class CGImage: @unchecked Sendable {
    private init() {}
    public var width: Int { 0 }
    public var height: Int { 0 }
    public var bytesPerRow: Int { 0 }
}
