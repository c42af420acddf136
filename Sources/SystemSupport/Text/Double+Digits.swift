internal import Glibc

extension Double {
    /// The number with a number of digits after the point: `42.0` with one.
    package func text(decimals: Int) -> String { printed("%.*f", decimals) }

    /// The number with at most so many digits that matter, as short as it can be: `42` with nine.
    package func text(digits: Int) -> String { printed("%.*g", digits) }

    private func printed(_ format: String, _ digits: Int) -> String {
        // The longest number has 309 digits before its point.
        unsafe String(unsafeUninitializedCapacity: 400) { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                let count = unsafe withVaList([Int32(min(digits, 50)), self]) { values in
                    unsafe vsnprintf(characters.baseAddress, characters.count, format, values)
                }
                return max(0, min(Int(count), characters.count - 1))
            }
        }
    }
}
