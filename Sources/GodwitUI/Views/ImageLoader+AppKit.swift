#if canImport(AppKit) && !canImport(UIKit) && canImport(SwiftUI)
import AppKit
public import GodwitCore
public import SwiftUI

extension ImageLoader where Picture == Image {
    /// Makes a loader of pictures for SwiftUI, decoded by the system. They keep their own size.
    ///
    /// - Parameter memoryLimit: The most bytes of decoded pictures that are kept. 64 MiB by default.
    public convenience init(_ api: APIClient, memoryLimit: Int = 64 << 20) {
        self.init(api, memoryLimit: memoryLimit) { data, _ in
            guard let image = NSImage(data: data) else { throw UnreadablePicture() }
            return DecodedImage(
                Image(nsImage: image), byteCount: Int(saturating: 4 * image.size.width * image.size.height))
        }
    }
}
#endif
