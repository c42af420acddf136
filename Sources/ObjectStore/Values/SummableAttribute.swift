/// A type of numbers that can be summed: integers, floating-point numbers, and optionals of these.
public protocol SummableAttribute: AttributeConvertible {
    /// The type of the sum; it has the same storage type.
    associatedtype Sum: AttributeType
}

extension Int: SummableAttribute {
    /// An integer.
    public typealias Sum = Int
}

extension Int8: SummableAttribute {
    /// An integer.
    public typealias Sum = Int
}

extension Int16: SummableAttribute {
    /// An integer.
    public typealias Sum = Int
}

extension Int32: SummableAttribute {
    /// An integer.
    public typealias Sum = Int64
}

extension Int64: SummableAttribute {
    /// An integer.
    public typealias Sum = Int64
}

extension UInt: SummableAttribute {
    /// An integer.
    public typealias Sum = UInt
}

extension UInt8: SummableAttribute {
    /// An integer.
    public typealias Sum = Int
}

extension UInt16: SummableAttribute {
    /// An integer.
    public typealias Sum = Int
}

extension UInt32: SummableAttribute {
    /// An integer.
    public typealias Sum = Int64
}

extension UInt64: SummableAttribute {
    /// An integer.
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
    /// The sum of the present values.
    public typealias Sum = Wrapped.Sum
}
