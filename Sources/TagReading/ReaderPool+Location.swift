internal import Glibc

extension ReaderPool {
    /// Finds the `luggage-reader` that belongs to the running program.
    ///
    /// It looks, relative to the folder of the running executable, for `luggage-reader` (as built)
    /// and `../libexec/luggage/luggage-reader` (as installed).
    ///
    /// - Returns: The path of an executable file.
    /// - Throws: ``ReadError`` with the code `readerUnavailable`, which names both paths.
    public static func locateExecutable() throws(ReadError) -> String {
        guard let running = runningExecutable() else {
            throw ReadError(
                .readerUnavailable,
                "the program cannot look for luggage-reader: /proc/self/exe cannot be read; mount /proc"
            )
        }
        let folder = parent(of: running)
        let places = [
            "\(folder)/luggage-reader",
            "\(parent(of: folder))/libexec/luggage/luggage-reader",
        ]
        if let place = places.first(where: { unsafe access($0, X_OK) == 0 }) { return place }
        if let place = places.first(where: { unsafe access($0, F_OK) == 0 }) {
            throw ReadError(
                .readerUnavailable,
                "you may not execute \(place); run 'chmod +x \(place)', or install luggage-reader anew"
            )
        }
        throw ReadError(
            .readerUnavailable,
            "luggage-reader is neither at \(places[0]) nor at \(places[1]); "
                + "install it there, or build it with 'swift build'"
        )
    }

    /// The path of the program that runs; nil if the system does not say.
    package static func runningExecutable() -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return String(path[..<slash])
    }
}
