@_exported import Foundation
public import SwiftUI

open class UIImage: NSObject, @unchecked Sendable {
    public init?(data: Data) {}
    open var size: CGSize { .zero }
    open var scale: CGFloat { 1 }
    open func preparingThumbnail(of size: CGSize) -> UIImage? { nil }
}

// Declared by SwiftUI where there is UIKit.
extension Image {
    public init(uiImage: UIImage) { self.init(systemName: "") }
}
