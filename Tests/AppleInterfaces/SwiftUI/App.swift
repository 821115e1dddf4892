@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    @MainActor @preconcurrency public static func main() {}
}

@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: Scene {}

@resultBuilder public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
    nonisolated public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { nowhere() }
}

public enum ScenePhase: Comparable, Hashable, Sendable {
    case background, inactive, active
}

@MainActor public struct DismissAction {
    public func callAsFunction() {}
}

extension EnvironmentValues {
    public var scenePhase: ScenePhase { .active }
    public var dismiss: DismissAction { nowhere() }
}
