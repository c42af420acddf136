#if canImport(Glibc)
internal import Glibc
#endif

/// Words as a program is given them: a 0 ends each, and no word ends the list.
@safe
struct CStrings: ~Copyable {
    private let count: Int
    private let words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// Copies the words, each as far as it has no 0.
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

    /// Gives the list, which is there until this returns.
    borrowing func use<Result>(
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        unsafe body(words)
    }
}
