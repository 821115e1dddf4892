/// Frees a type, and what extensions add to it, from a module's default isolation.
///
/// In a module with `.defaultIsolation(MainActor.self)`, the default of new projects in Xcode, every type and every
/// extension is isolated to the main actor. Types that conform to a protocol which refines `Sendable` are not (SE-0466).
/// The types of this library that programs extend conform to this one. So what you add to them can be used in every task:
///
/// ```swift
/// extension HTTPField.Name {
///     static let tenant: Self = "X-Tenant"            // needs no `nonisolated`
/// }
/// ```
///
/// A model is decoded outside the main actor, so it has to be `nonisolated`. If it has property wrappers, the language
/// refuses that word, and the model conforms to this protocol instead:
///
/// ```swift
/// nonisolated struct Article: Decodable { let id: Int }
/// struct Feed: Decodable, Nonisolated { @LossyArray var articles: [Article] }
/// ```
///
/// There is nothing to implement.
public protocol Nonisolated: Sendable {}
