public import GodwitCore
public import Observation

/// The image of one view: its phase, retries, and the latest URL.
///
/// ```swift
/// let model = ImageModel(images)
/// await model.load(article.pictureURL)     // SwiftUI: .task(id: url) { await model.load(url) }
/// ```
///
/// - **The latest wins**: an image of a previous URL is never shown as that of the current one.
/// - **Cancellation** isn't an error. When the last task waiting for the image is canceled, as SwiftUI does when the view
///   disappears, the phase returns to what it was.
/// - **Failures** can be retried, and are when the network returns.
/// - **Accounts**: when the client's account changes, the image is removed immediately.
@Observable @MainActor
public final class ImageModel<Picture: Sendable> {
    /// What a view shows: nothing, a preview, the image or an error.
    public private(set) var phase = ImagePhase<Picture>.empty

    /// How often the image was removed because the account changed. A view loads again then.
    package private(set) var resetCount = 0

    /// The phase to return to on cancellation; never `.loading`.
    @ObservationIgnored private var settled = ImagePhase<Picture>.empty
    @ObservationIgnored private var wanted: Wanted?
    @ObservationIgnored private var run: Run?
    /// Whether a view shows the image: since the last load, unless it was canceled.
    @ObservationIgnored private(set) var isVisible = false
    @ObservationIgnored private let loader: ImageLoader<Picture>
    @ObservationIgnored private let previous: PreviousImage
    @ObservationIgnored private let watch: NetworkReturn?
    @ObservationIgnored private lazy var accounts = AccountMark { [weak self] in self?.leaveAccount() }

    private struct Wanted: Hashable {
        let url: HTTPURL
        let size: PixelSize?
    }

    /// Creates a model. It doesn't load until asked.
    ///
    /// - Parameters:
    ///   - loader: The loader; use one for the whole app.
    ///   - previous: Whether the image of the previous URL stays until the next one is loaded.
    ///   - monitor: If given, loads that failed for lack of a network are retried when the network returns.
    public init(
        _ loader: ImageLoader<Picture>, previous: PreviousImage = .removed,
        retryingWith monitor: (any PathMonitor)? = nil
    ) {
        self.loader = loader
        self.previous = previous
        watch = monitor.map(NetworkReturn.init)
        accounts.note(loader.api.accountSession)
        loader.models.add(self)
    }

    /// Shows the image of a URL, unless it is shown. An image in memory is shown immediately.
    ///
    /// Returns when the image is shown, when loading fails, or when the task is canceled.
    ///
    /// - Parameters:
    ///   - url: The URL; `nil` shows nothing.
    ///   - size: The size in pixels; `nil` means the original size.
    public func load(_ url: (some HTTPURLConvertible)?, fitting size: PixelSize? = nil) async {
        guard !Task.isCancelled else { return }
        accounts.leaveChangedAccount()
        isVisible = true
        guard let url else { return show(.empty, of: nil) }
        do throws(NetworkError) {
            await load(Wanted(url: try ImageLoader<Picture>.read(url), size: size))
        } catch {
            show(.failure(error), of: nil)
        }
    }

    /// Loads again after a failure. Otherwise does nothing. If the file couldn't be decoded, the HTTP cache is bypassed.
    public func retry() async {
        guard case .failure(let error) = phase, let wanted, !Task.isCancelled else { return }
        // The cache would return the same bytes.
        begin(wanted, error.isDecoding ? .reloadIgnoringCache : nil)
        await wait()
    }

    /// Loads the image again, past the memory: the HTTP cache asks the server whether the image has changed.
    ///
    /// ```swift
    /// let model = ImageModel(images)
    /// await model.refresh()                    // SwiftUI: .refreshable { await model.refresh() }
    /// ```
    ///
    /// The image stays until the new one is loaded, and if that fails. Does nothing before ``load(_:fitting:)``. To refresh
    /// all images that are shown, use ``ImageLoader/refreshVisible()``.
    public func refresh() async {
        guard !Task.isCancelled else { return }
        accounts.leaveChangedAccount()
        guard let wanted else { return }
        begin(wanted, .reloadRevalidating)
        await wait()
    }

    /// Cancels the load in progress, and the wait for a network, for example when the view disappears.
    public func cancel() {
        isVisible = false
        watch?.stop()
        run?.cancel()
        settle()
    }
}

/// What happens to the image of a previous URL while the next one loads.
public enum PreviousImage: Sendable, Hashable {
    /// It is removed immediately, as in a list, whose rows are reused.
    case removed
    /// It stays until the next image is loaded or fails, as in a gallery.
    case kept
}

extension ImageModel {
    /// The model, unless it loads with another loader.
    package func of(_ loader: ImageLoader<Picture>) -> ImageModel? { loader === self.loader ? self : nil }

    /// What a view shows of an image, also before ``load(_:fitting:)`` is called for it.
    package func phase(of url: HTTPURL?, fitting size: PixelSize?) -> ImagePhase<Picture> {
        // Read in any case: a view must be observing the phase when it changes.
        let phase = phase
        let isOutdated = accounts.isOutdated
        if !isOutdated, wanted == url.map({ Wanted(url: $0, size: size) }) { return phase }
        guard let url else { return .empty }
        if let image = loader.decodedImageInMemory(at: url, fitting: size) { return .success(image) }
        guard !isOutdated, wanted?.url == url, let picture = phase.picture else { return .empty }
        return .loading(preview: picture)
    }

    private func load(_ wanted: Wanted) async {
        if wanted != self.wanted || run == nil {
            if wanted == self.wanted, phase.isSuccess { return }
            if let image = loader.decodedImageInMemory(at: wanted.url, fitting: wanted.size) {
                return show(.success(image), of: wanted)
            }
            begin(wanted)
        }
        await wait()
    }

    private func wait() async {
        while let run, !Task.isCancelled { await run.wait(for: self) }
    }

    /// Shows a phase that isn't loading, instead of what loads.
    private func show(_ phase: ImagePhase<Picture>, of wanted: Wanted?) {
        watch?.stop()
        let replaced = run
        run = nil
        self.wanted = wanted
        settled = phase
        self.phase = phase
        replaced?.cancel()
    }

    private func begin(_ wanted: Wanted, _ policy: CachePolicy? = nil) {
        watch?.begin()
        let replaced = run
        // A change of the size alone, as when a window is resized, keeps the image too.
        let placeholder = previous == .kept || wanted.url == self.wanted?.url ? phase.picture : nil
        if wanted != self.wanted { settled = .empty }
        let next = Run { [weak self] in self?.forget($0) }
        run = next
        self.wanted = wanted
        phase = .loading(preview: placeholder)
        replaced?.cancel()
        let receive: @MainActor @Sendable (Picture) -> Void = { [weak self, weak next] picture in
            guard let self, let next, next === run else { return }
            phase = .loading(preview: picture)
        }
        let work: @Sendable () async throws -> DecodedImage<Picture>? = { [loader] in
            var image: DecodedImage<Picture>?
            for try await stage in loader.stages(of: wanted.url, fitting: wanted.size) {
                switch stage {
                case .preview(let picture): await receive(picture)
                case .image(let last): image = last
                }
            }
            return image
        }
        next.start(in: accounts.scope(policy), work) { [weak self] in self?.finish($0, $1) }
    }

    private func finish(_ run: Run, _ outcome: Outcome<DecodedImage<Picture>?>) {
        guard run === self.run else { return }
        accounts.leaveChangedAccount()
        guard run === self.run else { return }
        switch outcome {
        case .success(let image): if let image { settled = .success(image) }
        case .failure(let error) where error.isCancellation: break
        // A failed refresh keeps the image.
        case .failure(let error): if !settled.isSuccess { settled = .failure(error) }
        }
        settleAndWaitForNetwork()
    }

    private func forget(_ run: Run) {
        if run === self.run { settleAndWaitForNetwork() }
    }

    private func leaveAccount() {
        resetCount += 1
        show(.empty, of: nil)
    }

    /// Settles, and waits for a network if that may help, also after a canceled retry.
    private func settleAndWaitForNetwork() {
        settle()
        guard case .failure(let error) = settled, error.mayPassWithNetwork, let wanted else { return }
        watch?.wait { [weak self] in self?.begin(wanted) }
    }

    private func settle() {
        run = nil
        if case .loading = phase { phase = settled }
    }
}

extension NetworkError {
    /// Whether the response's body couldn't be decoded.
    fileprivate var isDecoding: Bool {
        if case .decoding = kind { true } else { false }
    }
}
