@_exported import Foundation

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { nowhere() }
}

/// What stands for all that is done elsewhere.
func nowhere() -> Never { while true {} }

public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    public var body: Never { nowhere() }
}

public struct EmptyView: PrimitiveView {
    nonisolated public init() {}
}

public struct TupleView<Content>: PrimitiveView {}

public struct _ConditionalContent<TrueContent, FalseContent>: PrimitiveView {}

extension Optional: View where Wrapped: View {
    public var body: Never { nowhere() }
}

@resultBuilder public enum ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { nowhere() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<TrueContent: View, FalseContent: View>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { nowhere() }
    public static func buildEither<TrueContent: View, FalseContent: View>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { nowhere() }
}

@MainActor @preconcurrency public protocol PreviewProvider {
    associatedtype Previews: View
    @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}

// Apple's Foundation has these; that of Linux doesn't.
extension URL {
    public func startAccessingSecurityScopedResource() -> Bool { true }
    public static var applicationSupportDirectory: URL { URL(filePath: "/") }
    public static var cachesDirectory: URL { URL(filePath: "/") }
    public func stopAccessingSecurityScopedResource() {}
}
