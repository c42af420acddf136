/// Names that files bear while a program is still writing them.
public enum IgnoredNames {
    /// Whether a name is hidden or ends as programs end the names of what they have not finished.
    ///
    /// These are names that begin with a full stop, as rsync's and Syncthing's do, and those that end
    /// with `.part`, `.tmp`, `.crdownload`, `.filepart` or `~`, in capital or small letters.
    ///
    /// - Parameter name: The name, as bytes.
    /// - Returns: Whether it is such a name.
    public static func contains(_ name: [UInt8]) -> Bool {
        guard let first = name.first, let last = name.last else { return true }
        if first == UInt8(ascii: ".") || last == UInt8(ascii: "~") { return true }
        return endings.contains { ending in
            ending.utf8CodeUnitCount <= name.count && ends(name, with: ending)
        }
    }

    private static let endings: [StaticString] = [".part", ".tmp", ".crdownload", ".filepart"]

    private static func ends(_ name: [UInt8], with ending: StaticString) -> Bool {
        ending.withUTF8Buffer { ending in
            unsafe zip(name.suffix(ending.count), ending).allSatisfy { byte, wanted in
                let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                return (isCapital ? byte | 0x20 : byte) == wanted
            }
        }
    }
}
