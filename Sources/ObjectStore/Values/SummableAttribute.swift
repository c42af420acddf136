/// A type of numbers that can be added up: the whole and the floating-point ones, and such made
/// optional.
public protocol SummableAttribute: AttributeConvertible {
    /// What a sum of them is; it is kept as they are.
    associatedtype Sum: AttributeType
}

extension Int: SummableAttribute {
    /// A whole number.
    public typealias Sum = Int
}

extension Int8: SummableAttribute {
    /// A whole number.
    public typealias Sum = Int
}

extension Int16: SummableAttribute {
    /// A whole number.
    public typealias Sum = Int
}

extension Int32: SummableAttribute {
    /// A whole number.
    public typealias Sum = Int64
}

extension Int64: SummableAttribute {
    /// A whole number.
    public typealias Sum = Int64
}

extension UInt: SummableAttribute {
    /// A whole number.
    public typealias Sum = UInt
}

extension UInt8: SummableAttribute {
    /// A whole number.
    public typealias Sum = Int
}

extension UInt16: SummableAttribute {
    /// A whole number.
    public typealias Sum = Int
}

extension UInt32: SummableAttribute {
    /// A whole number.
    public typealias Sum = Int64
}

extension UInt64: SummableAttribute {
    /// A whole number.
    public typealias Sum = UInt64
}

extension Double: SummableAttribute {
    /// A floating-point number.
    public typealias Sum = Double
}

extension Float: SummableAttribute {
    /// A floating-point number of double precision.
    public typealias Sum = Double
}

extension Optional: SummableAttribute where Wrapped: SummableAttribute & AttributeType {
    /// The sum of those that are present.
    public typealias Sum = Wrapped.Sum
}
