/// Opts a type and its extensions out of a module's default actor isolation.
///
/// In a module with `.defaultIsolation(MainActor.self)`, the default of new Xcode projects, every type and extension is
/// isolated to the main actor. Types that conform to a protocol that refines `Sendable` are not (SE-0466). Library
/// types that programs extend conform to this protocol, so members you add to them can be used from any task:
///
/// ```swift
/// extension HTTPField.Name {
///     static let tenant: Self = "X-Tenant"            // needs no `nonisolated`
/// }
/// ```
///
/// Models are decoded outside the main actor, so they must be `nonisolated`. A type with property wrappers can't have
/// that modifier; conform it to this protocol instead:
///
/// ```swift
/// nonisolated struct Article: Decodable { let id: Int }
/// struct Feed: Decodable, Nonisolated { @LossyArray var articles: [Article] }
/// ```
///
/// There is nothing to implement.
public protocol Nonisolated: Sendable {}
