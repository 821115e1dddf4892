/// A page that names the one after it.
///
/// ```swift
/// struct ArticlePage: Decodable, CursorPage {
///     let items: [Article]
///     let nextCursor: String?
/// }
/// ```
public protocol CursorPage: ElementPage {
    /// What the next page is asked for with; nil or empty on the last page.
    var nextCursor: String? { get }
}
