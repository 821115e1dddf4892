public import GodwitCore
public import Observation

/// The image of one view: its phase, retries, and the latest URL.
///
/// ```swift
/// let model = ImageModel(images)
/// await model.load(article.pictureURL)     // SwiftUI: .task(id: url) { await model.load(url) }
/// ```
///
/// - **The latest wins**: an image of a former URL is never shown as that of the current one.
/// - **Cancellation** isn't an error. When the last task waiting for the image is canceled, as SwiftUI does when the view
///   disappears, the phase returns to what it was.
/// - **Failures** can be retried, and are when the network returns.
/// - **Accounts**: when the client's account changes, the image is removed immediately.
@Observable @MainActor
public final class ImageModel<Picture: Sendable> {
    /// What to show.
    public private(set) var phase = ImagePhase<Picture>.empty

    /// The phase to return to on cancellation; never `.loading`.
    @ObservationIgnored private var settled = ImagePhase<Picture>.empty
    @ObservationIgnored private var wanted: Wanted?
    @ObservationIgnored private var run: Run?
    @ObservationIgnored private let loader: ImageLoader<Picture>
    @ObservationIgnored private let former: FormerImage
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
    ///   - former: Whether the image of the former URL stays until the next one is loaded.
    ///   - monitor: If given, loads that failed for lack of a network are retried when the network returns.
    public init(
        _ loader: ImageLoader<Picture>, former: FormerImage = .removed, retryingWith monitor: (any PathMonitor)? = nil
    ) {
        self.loader = loader
        self.former = former
        watch = monitor.map(NetworkReturn.init)
        accounts.note(loader.api.accountSession)
    }

    /// Shows the image of a URL, unless it is shown. An image in memory is shown at once.
    ///
    /// Returns when the image is shown, when loading fails, or when the task is canceled.
    ///
    /// - Parameters:
    ///   - url: The URL; `nil` shows nothing.
    ///   - size: The size in pixels; `nil` means the original size.
    public func load(_ url: (some HTTPURLConvertible)?, fitting size: PixelSize? = nil) async {
        guard !Task.isCancelled else { return }
        if accounts.hasChanged() { leaveAccount() }
        guard let url else { return show(.empty, of: nil) }
        do throws(NetworkError) {
            await load(Wanted(url: try ImageLoader<Picture>.read(url), size: size))
        } catch {
            show(.failure(error), of: nil)
        }
    }

    /// Loads again after a failure. Otherwise does nothing.
    public func retry() async {
        guard case .failure = phase, let wanted, !Task.isCancelled else { return }
        begin(wanted)
        await wait()
    }

    /// Cancels the load in progress, and the wait for a network, for example when the view disappears.
    public func cancel() {
        watch?.stop()
        run?.cancel()
        settle()
    }
}

/// What happens to the image of a former URL while the next one loads.
public enum FormerImage: Sendable, Hashable {
    /// It is removed at once, as in a list, whose rows are reused.
    case removed
    /// It stays until the next image is loaded or fails, as in a gallery.
    case kept
}

extension ImageModel {
    /// Whether the phase is that of an image.
    func isCurrent(_ url: HTTPURL?, fitting size: PixelSize?) -> Bool {
        !accounts.isOutdated && wanted == url.map { Wanted(url: $0, size: size) }
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
        (run, self.wanted, settled, self.phase) = (nil, wanted, phase, phase)
        replaced?.cancel()
    }

    private func begin(_ wanted: Wanted) {
        watch?.begin()
        let replaced = run
        let placeholder = former == .kept ? phase.picture : nil
        if wanted != self.wanted { settled = .empty }
        let next = Run { [weak self] in self?.forget($0) }
        (run, self.wanted, phase) = (next, wanted, .loading(preview: placeholder))
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
        next.start(in: accounts.scope(nil), work) { [weak self] in self?.finish($0, $1) }
    }

    private func finish(_ run: Run, _ outcome: Outcome<DecodedImage<Picture>?>) {
        guard run === self.run else { return }
        if accounts.hasChanged() { return leaveAccount() }
        switch outcome {
        case .success(let image): if let image { settled = .success(image) }
        case .failure(let error) where error.isCancellation: break
        case .failure(let error): settled = .failure(error)
        }
        settleAndWaitForNetwork()
    }

    private func forget(_ run: Run) {
        if run === self.run { settleAndWaitForNetwork() }
    }

    private func leaveAccount() {
        _ = accounts.hasChanged()
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
