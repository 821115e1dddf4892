/// A part of a list that a server gives out in pages.
///
/// ```swift
/// struct ArticlePage: Decodable, ElementPage {
///     let items: [Article]
///     let total: Int
/// }
/// ```
///
/// An array is a page too.
public protocol ElementPage: SendableMetatype {
    /// What the list is of.
    associatedtype Item

    /// The elements of this page, in their order.
    var items: [Item] { get }
}

extension Array: ElementPage {
    /// The array itself.
    public var items: [Element] { self }
}
