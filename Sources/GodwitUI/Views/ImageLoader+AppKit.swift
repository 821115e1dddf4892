#if canImport(AppKit) && !canImport(UIKit) && canImport(SwiftUI)
import AppKit
public import GodwitCore
public import SwiftUI

extension ImageLoader where Picture == Image {
    /// Creates a loader of SwiftUI images, decoded by the system in their original size.
    ///
    /// - Parameter memoryLimit: Maximum bytes of decoded images in memory. 64 MiB by default.
    public convenience init(_ api: APIClient, memoryLimit: Int = 64 << 20) {
        self.init(api, memoryLimit: memoryLimit) { data, _ in
            guard let image = NSImage(data: data) else { throw UnreadablePicture() }
            return DecodedImage(Image(nsImage: image), width: image.size.width, height: image.size.height)
        }
    }
}
#endif
