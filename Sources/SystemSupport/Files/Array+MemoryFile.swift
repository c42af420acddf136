internal import CLinux

extension [UInt8] {
    /// Makes a file in memory that holds these bytes and can never be changed.
    ///
    /// Unlike with a pipe, the writer does not wait for a reader, and does not fail if there is none.
    ///
    /// - Returns: Its descriptor, which the caller closes; on failure, the negated error number.
    package func memoryFile() -> Int32 {
        unsafe withUnsafeBytes { unsafe system_memory_file($0.baseAddress, $0.count) }
    }
}
