#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// The picture of an article.
struct PictureView: View {
    private let url: HTTPURL?
    private let pictures: ImageLoader<Image>
    private let size: CGSize

    init(_ url: HTTPURL?, _ pictures: ImageLoader<Image>, width: CGFloat, height: CGFloat) {
        (self.url, self.pictures, size) = (url, pictures, CGSize(width: width, height: height))
    }

    var body: some View {
        CachedImage(url, from: pictures, points: size) {
            $0.resizable().scaledToFill()
        } placeholder: {
            Color.gray
        }
        .frame(maxWidth: size.width, maxHeight: size.height)
        .clipped()
    }
}
#endif
