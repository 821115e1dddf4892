@_exported import Foundation
public import SwiftUI

open class NSImage: NSObject, @unchecked Sendable {
    public init?(data: Data) {}
    open var size: NSSize { .zero }
}

// Declared by SwiftUI where there is AppKit.
extension Image {
    public init(nsImage: NSImage) { self.init(systemName: "") }
}
