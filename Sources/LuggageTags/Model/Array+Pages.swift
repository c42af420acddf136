extension Array {
    /// Slices of a size (the last may be shorter), so that memory need not hold the objects of all at once.
    func pages(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
