#if canImport(SwiftUI)
public import GodwitCore
public import SwiftUI

/// Shows an image from memory, the cache or the server. A replacement for `AsyncImage`.
///
/// ```swift
/// CachedImage(url, from: images, points: CGSize(width: 80, height: 80), label: "Portrait") { image in
///     image.resizable()
/// } placeholder: {
///     Color.gray
/// }
/// ```
///
/// When a row scrolls away, it stops waiting. If no other view waits for the image, the request is canceled. A failed image
/// shows a button that loads it again, and is loaded again when the network returns. A progressive image shows previews.
///
/// SwiftUI can't play animations: it shows the first frame. To play them, use ``ImageModel`` and
/// ``DecodedImage/animation`` with a view that can.
public struct CachedImage<Content: View, Placeholder: View, Failure: View>: View {
    @State private var model: ImageModel<Image>?
    @Environment(\.displayScale) private var scale

    private let url: HTTPURL?
    private let extent: Extent
    private let account: AccountStamp
    private let loader: ImageLoader<Image>
    private let label: String?
    private let content: (Image) -> Content
    private let placeholder: () -> Placeholder
    private let failure: (LoadFailure) -> Failure

    private enum Extent {
        case pixels(PixelSize?)
        case points(width: Double, height: Double)
    }

    /// Shows an image of a size in pixels.
    ///
    /// - Parameters:
    ///   - url: The URL; `nil` or an invalid URL shows the placeholder.
    ///   - loader: The loader; use one for the whole app.
    ///   - size: The size in pixels; `nil` means the original size.
    ///   - label: Describes the image to VoiceOver. `nil` (the default) means that it is decoration.
    ///   - content: The image, or a preview of it.
    ///   - placeholder: Shown until the image is loaded.
    ///   - failure: Shown if the image can't be loaded.
    public init(
        _ url: (some HTTPURLConvertible)?, from loader: ImageLoader<Image>, fitting size: PixelSize? = nil,
        label: String? = nil, @ViewBuilder content: @escaping (Image) -> Content,
        @ViewBuilder placeholder: @escaping () -> Placeholder,
        @ViewBuilder failure: @escaping (LoadFailure) -> Failure = { ImageFailureView($0) }
    ) {
        self.url = try? url?.httpURL()
        extent = .pixels(size)
        (self.loader, account, self.label) = (loader, loader.account, label)
        (self.content, self.placeholder, self.failure) = (content, placeholder, failure)
    }

    /// Shows an image of a size in points, decoded in the pixels of the window's screen.
    ///
    /// - Parameter points: The size of the view in points.
    public init(
        _ url: (some HTTPURLConvertible)?, from loader: ImageLoader<Image>, points: CGSize, label: String? = nil,
        @ViewBuilder content: @escaping (Image) -> Content, @ViewBuilder placeholder: @escaping () -> Placeholder,
        @ViewBuilder failure: @escaping (LoadFailure) -> Failure = { ImageFailureView($0) }
    ) {
        self.url = try? url?.httpURL()
        extent = .points(width: Double(points.width), height: Double(points.height))
        (self.loader, account, self.label) = (loader, loader.account, label)
        (self.content, self.placeholder, self.failure) = (content, placeholder, failure)
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
            let model = $model.wrappedValue ?? ImageModel(loader, retryingWith: SystemPathMonitor.shared)
            $model.wrappedValue = model
            await model.load(wanted.url, fitting: wanted.size)
        }
        .onDisappear { [$model] in $model.wrappedValue?.cancel() }
    }

    private func labeled(_ image: Image) -> some View {
        content(image).accessibilityLabel(Text(verbatim: label ?? "")).accessibilityHidden(label == nil)
    }

    /// Before the task starts, and for the first frame of another URL: what is in memory.
    private var phase: ImagePhase<Image> {
        if let model, model.isCurrent(wanted.url, fitting: wanted.size) { return model.phase }
        let inMemory = wanted.url.flatMap { loader.decodedImageInMemory(at: $0, fitting: wanted.size) }
        return inMemory.map { .success($0) } ?? .empty
    }

    private var retry: @MainActor @Sendable () async -> Void {
        { [$model] in await $model.wrappedValue?.retry() }
    }

    private var wanted: WantedImage {
        switch extent {
        case .pixels(let size): WantedImage(url: url, size: size, account: account)
        case .points(let width, let height):
            WantedImage(url: url, size: PixelSize(points: width, height, scale: Double(scale)), account: account)
        }
    }
}

private struct WantedImage: Hashable, Sendable {
    let url: HTTPURL?
    let size: PixelSize?
    /// The account that loads the image. Images of a former account aren't shown.
    let account: AccountStamp
}
#endif
