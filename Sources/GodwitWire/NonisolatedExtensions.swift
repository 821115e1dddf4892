/// Keeps a type's extensions out of the main actor in modules that are isolated to it by default.
///
/// In a module with `.defaultIsolation(MainActor.self)`, the default of new projects in Xcode, what an extension adds to
/// a type is isolated to the main actor, even if the type comes from elsewhere and is not. Types that conform to a
/// protocol which refines `SendableMetatype` are excepted (SE-0466). So an endpoint, a field name or a configuration
/// that such a module adds can be used from every task:
///
/// ```swift
/// extension HTTPField.Name {
///     static let tenant: Self = "X-Tenant"            // no `nonisolated` needed
/// }
/// ```
///
/// There is nothing to implement, and no need to conform to it. For models write `nonisolated`, the language's own word.
public protocol NonisolatedExtensions: SendableMetatype {}

extension Backoff: NonisolatedExtensions {}
extension Cookie: NonisolatedExtensions {}
extension EndpointPath: NonisolatedExtensions {}
extension HTTPField: NonisolatedExtensions {}
extension HTTPField.Name: NonisolatedExtensions {}
extension HTTPFields: NonisolatedExtensions {}
extension HTTPMethod: NonisolatedExtensions {}
extension HTTPStatus: NonisolatedExtensions {}
extension MediaType: NonisolatedExtensions {}
extension Origin: NonisolatedExtensions {}
extension QueryItem: NonisolatedExtensions {}
extension QueryItems: NonisolatedExtensions {}
extension QueryValue: NonisolatedExtensions {}
extension ServerSentEvent: NonisolatedExtensions {}
extension WebSocketMessage: NonisolatedExtensions {}
