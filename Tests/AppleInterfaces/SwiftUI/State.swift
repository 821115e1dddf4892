public import Foundation
public import Observation

@propertyWrapper public struct State<Value> {
    public init(wrappedValue value: Value) { nowhere() }
    public init(initialValue value: Value) { nowhere() }
    public var wrappedValue: Value {
        get { nowhere() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { nowhere() }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() { nowhere() }
}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {}
    public var wrappedValue: Value {
        get { nowhere() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { self }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { nowhere() }
}

@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
    public init(projectedValue: Bindable<Value>) {}
    public var wrappedValue: Value {
        get { nowhere() }
        set {}
    }
    public var projectedValue: Bindable<Value> { self }
}

extension Bindable where Value: AnyObject {
    public subscript<Subject>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> { nowhere() }
}

extension Bindable where Value: AnyObject, Value: Observable {
    public init(wrappedValue: Value) { nowhere() }
    public init(_ wrappedValue: Value) { nowhere() }
}

extension State: @unchecked Sendable where Value: Sendable {}

extension Binding: @unchecked Sendable where Value: Sendable {}

public struct EnvironmentValues {
    public var displayScale: CGFloat { 1 }
}

@propertyWrapper public struct Environment<Value> {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { nowhere() }
}
