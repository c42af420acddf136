internal import CLinux

extension [UInt8] {
    /// Makes a file in memory that holds these bytes and can never be changed.
    ///
    /// Unlike a pipe, nobody has to wait until it is read, or fails where it is not.
    ///
    /// - Returns: Its descriptor, which is the caller's to close; below 0 where there is none, the
    ///   number of the error negated.
    package func memoryFile() -> Int32 {
        unsafe withUnsafeBytes { unsafe system_memory_file($0.baseAddress, $0.count) }
    }
}
