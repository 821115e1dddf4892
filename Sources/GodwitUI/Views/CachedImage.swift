#if canImport(SwiftUI)
public import GodwitCore
public import SwiftUI

/// Shows an image from memory, the cache or the server. A replacement for `AsyncImage`.
///
/// ```swift
/// CachedImage(url, from: images, points: CGSize(width: 80, height: 80), label: Text("Portrait")) { image in
///     image.resizable()
/// } placeholder: {
///     Color.gray
/// }
/// ```
///
/// When a row scrolls away, it stops waiting. If no other view waits for the image, the request is canceled. A failed image
/// shows a button that loads it again, and is loaded again when the network returns. A progressive image shows previews.
///
/// To load the images of a view again, as in `refreshable`, call ``ImageLoader/refreshVisible()``.
///
/// SwiftUI can't play animations: it shows the first frame. To play them, use ``ImageModel`` and
/// ``DecodedImage/animation`` with a view that can.
public struct CachedImage<Content: View, Placeholder: View, Failure: View>: View {
    @State private var model: ImageModel<Image>?
    @Environment(\.displayScale) private var scale

    private let url: HTTPURL?
    private let extent: Extent
    private let loader: ImageLoader<Image>
    private let label: Text?
    private let content: (Image) -> Content
    private let placeholder: () -> Placeholder
    private let failure: (LoadFailure) -> Failure

    private enum Extent {
        case pixels(PixelSize?)
        case points(width: Double, height: Double, PixelSize.ContentMode)
    }

    /// Shows an image of a size in pixels.
    ///
    /// - Parameters:
    ///   - url: The URL; `nil` or an invalid URL shows the placeholder.
    ///   - loader: The loader; use one for the whole app.
    ///   - size: The size in pixels; `nil` means the original size.
    ///   - label: Describes the image to VoiceOver, instead of what the content says. `nil` (the default) leaves the content as
    ///     it is; an image without a label is decoration.
    ///   - content: The image, or a preview of it.
    ///   - placeholder: Shown until the image is loaded.
    ///   - failure: Shown if the image can't be loaded.
    public init(
        _ url: (some HTTPURLConvertible)?, from loader: ImageLoader<Image>, fitting size: PixelSize? = nil,
        label: Text? = nil, @ViewBuilder content: @escaping (Image) -> Content,
        @ViewBuilder placeholder: @escaping () -> Placeholder = { ImagePlaceholderView() },
        @ViewBuilder failure: @escaping (LoadFailure) -> Failure = { ImageFailureView($0) }
    ) {
        self.url = try? url?.httpURL()
        extent = .pixels(size)
        self.loader = loader
        self.label = label
        self.content = content
        self.placeholder = placeholder
        self.failure = failure
    }

    /// Shows an image of a size in points, decoded in the pixels of the window's screen.
    ///
    /// - Parameters:
    ///   - points: The size of the view in points.
    ///   - contentMode: Use `.fill` if the content fills the size and crops the image. `.fit` by default.
    public init(
        _ url: (some HTTPURLConvertible)?, from loader: ImageLoader<Image>, points: CGSize,
        contentMode: PixelSize.ContentMode = .fit, label: Text? = nil,
        @ViewBuilder content: @escaping (Image) -> Content,
        @ViewBuilder placeholder: @escaping () -> Placeholder = { ImagePlaceholderView() },
        @ViewBuilder failure: @escaping (LoadFailure) -> Failure = { ImageFailureView($0) }
    ) {
        self.url = try? url?.httpURL()
        extent = .points(width: Double(points.width), height: Double(points.height), contentMode)
        self.loader = loader
        self.label = label
        self.content = content
        self.placeholder = placeholder
        self.failure = failure
    }

    /// The slot for the phase.
    public var body: some View {
        ZStack {
            switch phase {
            case .empty, .loading(preview: nil): placeholder()
            case .loading(let preview?): labeled(preview)
            case .success(let image): labeled(image.picture)
            case .failure(let error): failure(LoadFailure(error, retry: retry))
            }
        }
        .task(id: wanted) { [wanted, loader, $model] in
            let current = $model.wrappedValue?.of(loader)
            let model = current ?? ImageModel(loader, retryingWith: SystemPathMonitor.shared)
            $model.wrappedValue = model
            await model.load(wanted.url, fitting: wanted.size)
        }
        .onDisappear { [$model] in $model.wrappedValue?.cancel() }
    }

    @ViewBuilder private func labeled(_ image: Image) -> some View {
        if let label {
            content(image).accessibilityElement(children: .ignore)
                .accessibilityLabel(label).accessibilityAddTraits(.isImage)
        } else {
            content(image)
        }
    }

    /// Before the task starts, and for the first frame of another URL: what is in memory.
    private var phase: ImagePhase<Image> {
        if let model = model?.of(loader) { return model.phase(of: wanted.url, fitting: wanted.size) }
        let inMemory = wanted.url.flatMap { loader.decodedImageInMemory(at: $0, fitting: wanted.size) }
        return inMemory.map { .success($0) } ?? .empty
    }

    private var retry: @MainActor @Sendable () async -> Void {
        { [$model] in await $model.wrappedValue?.retry() }
    }

    private var wanted: WantedImage {
        WantedImage(
            url: url, size: size, loader: ObjectIdentifier(loader), resetCount: model?.of(loader)?.resetCount ?? 0)
    }

    private var size: PixelSize? {
        switch extent {
        case .pixels(let size): size
        case .points(let width, let height, let mode):
            PixelSize(points: width, height, scale: Double(scale), contentMode: mode)
        }
    }
}

private struct WantedImage: Hashable, Sendable {
    let url: HTTPURL?
    let size: PixelSize?
    let loader: ObjectIdentifier
    /// An image that was removed, because the account changed, is loaded again.
    let resetCount: Int
}
#endif
