#if canImport(UIKit) && canImport(SwiftUI)
public import GodwitCore
public import SwiftUI
import UIKit

extension ImageLoader where Picture == Image {
    /// Creates a loader of SwiftUI images, decoded by the system and scaled down to the requested size.
    ///
    /// - Parameter memoryLimit: Maximum bytes of decoded images in memory. 64 MiB by default.
    public convenience init(_ api: APIClient, memoryLimit: Int = 64 << 20) {
        self.init(api, memoryLimit: memoryLimit) { data, size in
            guard let image = UIImage(data: data) else { throw UnreadablePicture() }
            let pixels = CGSize(width: image.size.width * image.scale, height: image.size.height * image.scale)
            let target = size.map { $0.fitting(width: pixels.width, height: pixels.height) }
            let fitted = target.flatMap { image.preparingThumbnail(of: CGSize(width: $0.width, height: $0.height)) }
            let shown = fitted == nil ? pixels : target.map { CGSize(width: $0.width, height: $0.height) } ?? pixels
            return DecodedImage(Image(uiImage: fitted ?? image), width: shown.width, height: shown.height)
        }
    }
}
#endif
