/// Names that generated types must not have, as they would hide those of Swift, Foundation or Godwit.
enum ReservedNames {
    /// At the top level of a module: a file that imports the client with one of these modules could not name either type.
    static let types = ForeignTypes.swift.union(ForeignTypes.foundation).union(ForeignTypes.godwit).union(swiftUI)
        .union(written)

    /// Names that generated code writes: inside of a type, one with such a name would be meant.
    static let written: Set<String> = [
        // Swift
        "Any", "AnyObject", "Bool", "CaseIterable", "Codable", "CodingKey", "CodingKeys", "Comparable",
        "CustomReflectable", "CustomStringConvertible", "Decodable", "Decoder", "DecodingError", "Double", "Element",
        "Encodable", "Encoder", "Equatable", "Error", "Hashable", "Identifiable", "Int", "Int64", "Mirror", "Never",
        "Optional", "Protocol", "RawRepresentable", "Self", "Sendable", "Set", "StaticString", "String", "Task", "Type",
        "UInt64", "Void",
        // Foundation
        "Calendar", "Data", "Date", "Decimal", "LocalizedError", "TimeInterval", "URL", "UUID",
        // Godwit
        "APIClient", "APIEnvironment", "AccessToken", "ClientConfiguration", "Endpoint", "HTTPBody", "HTTPFields",
        "HTTPMethod", "HTTPResponseHead", "HTTPStatus", "HTTPTransport", "JSONCoding", "JSONValue", "MediaType",
        "MultipartForm",
        "NetworkError", "NumberOrString", "Open", "Page", "Pages", "Patch", "QueryConvertible", "QueryItem",
        "QueryItems", "QueryValue", "RawResponse", "RequestBody", "Response", "ServerSentEvent", "TokenStore",
        // Modules
        "Foundation", "Godwit", "GodwitTesting", "GodwitUI", "Observation", "Swift", "SwiftUI", "Testing",
        // Generated
        "Day", "DynamicKey", "CookieText", "Indirect", "JSONText", "MultipartFile", "ObjectShapes", "OperationServer",
        "OperationServers", "StyledText", "TypedPart",
    ]

    /// SwiftUI, which a toolchain for Linux doesn't have.
    private static let swiftUI: Set<String> = [
        "Alert", "Alignment", "Anchor", "Angle", "Animatable", "Animation", "AnimatableData", "AnyGesture", "AnyLayout",
        "AnyShape", "AnyShapeStyle", "AnyTransition", "AnyView", "App", "AppStorage", "Axis", "Bindable", "Binding",
        "BlendMode", "Button", "ButtonRole", "ButtonStyle", "Canvas", "Capsule", "Circle", "Color", "ColorPicker",
        "ColorScheme", "Commands", "ContainerValues", "ContentMode", "ContentShapeKinds", "ContentSizeCategory",
        "ControlGroup", "ControlSize", "CoordinateSpace", "DatePicker", "DisclosureGroup", "Divider", "DragGesture",
        "DynamicProperty", "DynamicTypeSize", "Edge", "EdgeInsets", "EditButton", "EditMode", "Ellipse",
        "EllipticalGradient", "EmptyView", "Entry", "Environment", "EnvironmentKey", "EnvironmentObject",
        "EnvironmentValues", "EquatableView", "EventModifiers", "FetchRequest", "FetchedResults", "FileDocument",
        "FillStyle", "FocusState", "FocusedBinding", "FocusedValue", "FocusedValues", "Font", "ForEach", "Form",
        "GeometryEffect", "GeometryProxy", "GeometryReader", "Gesture", "GestureMask", "GestureState", "Gradient",
        "Grid", "GridItem", "GridRow", "Group", "GroupBox", "HStack", "HelpLink", "HorizontalAlignment",
        "HorizontalEdge", "Image", "ImagePaint", "ImageRenderer", "KeyEquivalent", "KeyboardShortcut", "Label",
        "LabeledContent", "Layout", "LazyHGrid", "LazyHStack", "LazyVGrid", "LazyVStack", "LinearGradient", "Link",
        "List", "ListStyle", "LocalizedStringKey", "LongPressGesture", "MagnifyGesture", "Material", "Menu",
        "MenuBarExtra", "MeshGradient", "ModifiedContent", "MultiDatePicker", "Namespace", "NavigationLink",
        "NavigationPath", "NavigationSplitView", "NavigationStack", "NavigationView", "ObservedObject",
        "OffsetShape", "OpenURLAction", "OutlineGroup", "Path", "PasteButton", "Picker", "PinnedScrollableViews",
        "PreferenceKey", "Preview", "PreviewProvider", "PrimitiveButtonStyle", "ProgressView", "ProjectionTransform",
        "PushNotification", "RadialGradient", "Rectangle", "RedactionReasons", "ReferenceFileDocument", "RenameButton",
        "RotateGesture", "RoundedCornerStyle", "RoundedRectangle", "ScaledMetric", "Scene", "ScenePhase",
        "SceneStorage", "ScrollView", "ScrollViewProxy", "ScrollViewReader", "Section", "SecureField",
        "SectionedFetchRequest", "Settings", "Shader", "ShaderLibrary", "Shape", "ShapeStyle", "ShareLink",
        "SignInWithAppleButton", "Slider", "Spacer", "State", "StateObject", "Stepper", "StrokeStyle", "Subview",
        "SubviewsCollection", "SubmitLabel", "SwipeActions", "Symbol", "SymbolRenderingMode", "Tab", "TabView", "Table",
        "TableColumn", "TableRow", "TapGesture", "Text", "TextAlignment", "TextEditor", "TextField", "TextSelection",
        "TimelineSchedule", "TimelineView", "Toggle", "ToggleStyle", "ToolbarItem", "ToolbarItemGroup",
        "Transaction", "TransformEffect", "Transition", "TupleView", "UnevenRoundedRectangle", "UnitCurve", "UnitPoint",
        "VStack", "VerticalAlignment", "VerticalEdge", "View", "ViewBuilder", "ViewModifier", "ViewThatFits",
        "Visibility", "VisualEffect", "Window", "WindowGroup", "WindowStyle", "ZStack",
    ]

    /// Static members of `Endpoint`, and its properties, which a static member with the same name would hide.
    static let endpoints: Set<String> = [
        "get", "post", "put", "delete", "patch", "head", "options", "custom", "Decode", "method", "path", "query",
        "fields", "body", "accept", "decode", "adjust", "description", "customMirror", "reading",
    ]

    /// Members of every model.
    static let properties: Set<String> = ["hashValue", "encode", "CodingKeys", "additionalProperties"]

    /// Members of the enum of credentials.
    static let credentials: Set<String> = ["add", "all", "apply", "customMirror", "description"]

    /// Members of every enum with raw values.
    static let rawValues: Set<String> = ["allCases", "rawValue", "hash", "hashValue"]
}

extension ReservedNames {
    /// Where a name of a document can stand.
    enum Place: CaseIterable {
        /// A type, at the top level or in another type.
        case type
        /// A property, a function, a static member or the case of an enum.
        case member
        /// A parameter, with or without its label.
        case parameter
        /// A member that no initializer assigns from a parameter: with backticks, it can have any name.
        case readOnlyMember
    }

    /// The names that the language has for itself in a place, where backticks don't help.
    static func language(_ place: Place) -> Set<String> {
        switch place {
        case .type: ["Any", "Protocol", "Self", "Type"]
        case .member: ["Protocol", "Self", "Type", "init", "self"]
        case .parameter: ["self"]
        case .readOnlyMember: []
        }
    }

    /// The name for a type in another one, which must not hide what generated code writes.
    static func nested(_ name: String) -> String {
        if name == "Type" { return "Kind" }
        return written.contains(name) || language(.type).contains(name) ? name + "Value" : name
    }
}
