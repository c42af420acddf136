internal import Glibc

/// Words as a program gets them: each ends with a 0 byte, and a null pointer ends the list.
@safe
struct CStrings: ~Copyable {
    private let count: Int
    private let words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// Copies the words, each up to its first 0 byte.
    init(_ words: [[UInt8]]) {
        count = words.count
        unsafe self.words = .allocate(capacity: count + 1)
        for (index, word) in words.enumerated() {
            unsafe (self.words + index).initialize(to: strdup(word.cString))
        }
        unsafe (self.words + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { unsafe free(words[index]) }
        unsafe words.deallocate()
    }

    /// Passes the list to a closure; it is valid until this returns.
    borrowing func use<Result>(
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        unsafe body(words)
    }
}
