extension Array {
    /// Parts of a size, the last one of what is left, so that memory need not hold all of their objects.
    func pages(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
