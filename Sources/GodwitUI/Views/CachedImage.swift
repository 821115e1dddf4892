#if canImport(SwiftUI)
public import GodwitCore
public import SwiftUI

/// Shows an image from memory, the cache or the server. A replacement for `AsyncImage`.
///
/// ```swift
/// CachedImage(url, from: images, fitting: PixelSize(width: 200, height: 200)) { $0.resizable() } placeholder: { Color.gray }
/// ```
///
/// When a row scrolls away, it stops waiting. If no other view waits for the image, the request is canceled.
public struct CachedImage<Content: View, Placeholder: View>: View {
    @State private var shown: ShownImage?

    private let wanted: WantedImage
    private let loader: ImageLoader<Image>
    private let content: (Image) -> Content
    private let placeholder: () -> Placeholder

    /// Shows an image.
    ///
    /// - Parameters:
    ///   - url: The URL; `nil` or an invalid URL shows the placeholder.
    ///   - loader: The loader; use one for the whole app.
    ///   - size: The size in pixels; `nil` means the original size.
    ///   - placeholder: Shown until the image is loaded, and if that fails.
    public init(
        _ url: (some HTTPURLConvertible)?, from loader: ImageLoader<Image>, fitting size: PixelSize? = nil,
        @ViewBuilder content: @escaping (Image) -> Content, @ViewBuilder placeholder: @escaping () -> Placeholder
    ) {
        wanted = WantedImage(url: try? url?.httpURL(), size: size, account: loader.account)
        self.loader = loader
        self.content = content
        self.placeholder = placeholder
    }

    /// The image or the placeholder.
    public var body: some View {
        ZStack {
            if let image {
                content(image)
            } else {
                placeholder()
            }
        }
        .task(id: wanted) { [wanted, loader, $shown] in
            if let image = await wanted.load(from: loader) { $shown.wrappedValue = ShownImage(wanted, image) }
        }
    }

    /// An image in memory is shown in the first frame. An image of another URL isn't shown.
    private var image: Image? {
        if let shown, shown.wanted == wanted, wanted.account == loader.account { return shown.image }
        return wanted.url.flatMap { loader.imageInMemory(at: $0, fitting: wanted.size) }
    }
}

private struct ShownImage: Sendable {
    let wanted: WantedImage
    let image: Image

    init(_ wanted: WantedImage, _ image: Image) {
        (self.wanted, self.image) = (wanted, image)
    }
}

private struct WantedImage: Hashable, Sendable {
    let url: HTTPURL?
    let size: PixelSize?
    /// The account that loads the image. Images of a former account aren't shown.
    let account: AccountStamp

    func load(from loader: ImageLoader<Image>) async -> Image? {
        guard let url else { return nil }
        return try? await loader.image(at: url, fitting: size)
    }
}
#endif
