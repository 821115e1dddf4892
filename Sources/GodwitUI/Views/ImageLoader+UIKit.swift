#if canImport(UIKit) && canImport(SwiftUI)
public import GodwitCore
public import SwiftUI
import UIKit

extension ImageLoader where Picture == Image {
    /// Makes a loader of pictures for SwiftUI, decoded by the system and made no larger than they are wanted.
    ///
    /// - Parameter memoryLimit: The most bytes of decoded pictures that are kept. 64 MiB by default.
    public convenience init(_ api: APIClient, memoryLimit: Int = 64 << 20) {
        self.init(api, memoryLimit: memoryLimit) { data, size in
            guard let image = UIImage(data: data) else { throw UnreadablePicture() }
            let pixels = CGSize(width: image.size.width * image.scale, height: image.size.height * image.scale)
            let target = size.map { $0.fitting(width: pixels.width, height: pixels.height) }
            let fitted = target.flatMap { image.preparingThumbnail(of: CGSize(width: $0.width, height: $0.height)) }
            let area = target.map { $0.width * $0.height } ?? pixels.width * pixels.height
            return DecodedImage(Image(uiImage: fitted ?? image), byteCount: Int(saturating: 4 * area))
        }
    }
}
#endif
