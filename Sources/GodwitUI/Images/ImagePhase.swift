public import GodwitCore

/// What a view shows of an image.
///
/// ```swift
/// let model = ImageModel(images)
/// switch model.phase {
/// case .empty, .loading(preview: nil): showSpinner()
/// case .loading(let preview?): show(preview)
/// case .success(let image): show(image.picture)
/// case .failure(let error): show(error.userMessage)
/// }
/// ```
public enum ImagePhase<Picture: Sendable>: Sendable {
    /// Nothing is shown.
    case empty
    /// The image loads. There may be a preview of it, or the previous image.
    case loading(preview: Picture?)
    /// The image is loaded and decoded.
    case success(DecodedImage<Picture>)
    /// The image couldn't be loaded.
    case failure(NetworkError)

    /// The picture to show: the image, a preview, or the previous image.
    public var picture: Picture? {
        switch self {
        case .empty, .failure: nil
        case .loading(let preview): preview
        case .success(let image): image.picture
        }
    }

    /// Why the image couldn't be loaded.
    public var error: NetworkError? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// Whether the image is shown.
    public var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
