/// The number between two others: the first at 0, the second at 1.
func mix(_ first: Double, _ second: Double, _ share: Double) -> Double {
    first + (second - first) * share
}
