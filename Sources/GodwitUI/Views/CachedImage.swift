#if canImport(SwiftUI)
public import GodwitCore
public import SwiftUI

/// A picture from the network: from memory at once, else from the cache or the server. Takes the place of `AsyncImage`.
///
/// ```swift
/// CachedImage(url, from: images, fitting: PixelSize(width: 200, height: 200)) { $0.resizable() } placeholder: { Color.gray }
/// ```
///
/// A row that scrolls away gives up its interest; when nobody else wants the picture, the request ends.
public struct CachedImage<Content: View, Placeholder: View>: View {
    @State private var shown: ShownImage?

    private let wanted: WantedImage
    private let loader: ImageLoader<Image>
    private let content: (Image) -> Content
    private let placeholder: () -> Placeholder

    /// Shows a picture.
    ///
    /// - Parameters:
    ///   - url: Where it is; nil, or one that is none, shows the placeholder.
    ///   - loader: What loads it; one for the whole app.
    ///   - size: How large it is wanted, in pixels; nil for as it comes.
    ///   - content: Shows the picture.
    ///   - placeholder: Shown until it is there, and where it cannot be had.
    public init(
        _ url: (some HTTPURLConvertible)?, from loader: ImageLoader<Image>, fitting size: PixelSize? = nil,
        @ViewBuilder content: @escaping (Image) -> Content, @ViewBuilder placeholder: @escaping () -> Placeholder
    ) {
        wanted = WantedImage(url: try? url?.httpURL(), size: size, account: loader.account)
        self.loader = loader
        self.content = content
        self.placeholder = placeholder
    }

    /// The picture or the placeholder.
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

    /// What is in memory is there before the first frame; what was loaded for another URL is not shown.
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
    /// Whose picture it is: that of a former account is not shown.
    let account: AccountStamp

    func load(from loader: ImageLoader<Image>) async -> Image? {
        guard let url else { return nil }
        return try? await loader.image(at: url, fitting: size)
    }
}
#endif
