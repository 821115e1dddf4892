// What Godwit uses of Apple's ImageIO, declared so that its callers can be type-checked elsewhere. Nothing of it works.
//
// Core Foundation's types are Swift's own here, because nothing bridges them outside of Apple's systems; there `as` crosses it.
public import CoreGraphics
public import FoundationEssentials

public typealias CFString = String
public typealias CFData = Data
public typealias CFDictionary = [String: Any]

public final class CGImageSource {
    fileprivate init() {}
}

public let kCGImageSourceShouldCache: CFString = ""
public let kCGImageSourceShouldCacheImmediately: CFString = ""
public let kCGImageSourceThumbnailMaxPixelSize: CFString = ""
public let kCGImageSourceCreateThumbnailFromImageAlways: CFString = ""
public let kCGImageSourceCreateThumbnailWithTransform: CFString = ""
public let kCGImagePropertyPixelWidth: CFString = ""
public let kCGImagePropertyPixelHeight: CFString = ""
public let kCGImagePropertyOrientation: CFString = ""

public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? { nil }
public func CGImageSourceCreateIncremental(_ options: CFDictionary?) -> CGImageSource { CGImageSource() }
public func CGImageSourceUpdateData(_ isrc: CGImageSource, _ data: CFData, _ final: Bool) {}
// A CFDictionary there, which has to be cast to a dictionary of Swift.
public func CGImageSourceCopyPropertiesAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> AnyObject? { nil }
public func CGImageSourceCreateThumbnailAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { nil }
