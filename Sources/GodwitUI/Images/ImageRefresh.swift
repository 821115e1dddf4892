import GodwitCore

extension ImageLoader {
    /// Loads the images that models and views show again, past the memory: the HTTP cache asks the server whether they have
    /// changed.
    ///
    /// ```swift
    /// await images.refreshVisible()            // SwiftUI: .refreshable { await images.refreshVisible() }
    /// ```
    ///
    /// The images stay until the new ones are loaded, and if that fails. An unchanged image costs a 304 response and a decode.
    /// Those that no view shows stay in memory. Returns when all are loaded, or when the task is canceled.
    @MainActor
    public func refreshVisible() async {
        await withTaskGroup(of: Void.self) { group in
            for model in models.visible { group.addTask { await model.refresh() } }
        }
    }
}

/// The models that show images of a loader.
@MainActor
final class ImageModels<Picture: Sendable> {
    private struct Reference {
        weak var model: ImageModel<Picture>?
    }

    private var references: [Reference] = []
    /// Released models are dropped when there are as many references.
    private var limit = 64

    nonisolated init() {}

    func add(_ model: ImageModel<Picture>) {
        references.append(Reference(model: model))
        guard references.count > limit else { return }
        references.removeAll { $0.model == nil }
        limit = max(64, 2 * references.count)
    }

    /// Those that a view shows.
    var visible: [ImageModel<Picture>] {
        references.compactMap(\.model).filter(\.isVisible)
    }
}
