internal import FoundationEssentials
internal import Glibc
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport
internal import SystemSupport

/// A watched folder with copies of some pictures, and a record of its own, to try the board with.
struct BoardTrial {
    /// The folder of all that, which the board removes at its end.
    let place: String

    /// Makes it, in the folder for temporary files.
    ///
    /// - Parameter folder: A folder with pictures.
    /// - Throws: ``Failure``.
    init(of folder: String) throws {
        let files = FileManager.default
        guard let names = try? files.contentsOfDirectory(atPath: folder) else {
            throw Failure(.noInput, "the folder \(folder.onOneLine) cannot be read")
        }
        let name = "luggage-board-\(getpid())-\(UUID().uuidString.prefix(8))"
        place = files.temporaryDirectory.appending(path: name).path
        do {
            try files.createDirectory(
                atPath: place,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try FolderLayout(path: self.folder).make()
            for name in names where !name.hasPrefix(".") {
                let ending = name.split(separator: ".").dropFirst().last?.lowercased() ?? ""
                guard ["png", "jpg", "jpeg"].contains(ending) else { continue }
                let copy = "\(self.folder)/\(Point.origin.rawValue)/\(name)"
                try files.copyItem(atPath: "\(folder)/\(name)", toPath: copy)
            }
        } catch let error as FilingError {
            remove()
            throw Failure(.ioFailed, error.message)
        } catch {
            remove()
            throw Failure(.ioFailed, "\(place.onOneLine) cannot be used: \(error)")
        }
    }

    /// Removes it, if the board does not come to do so.
    func remove() { try? FileManager.default.removeItem(atPath: place) }

    /// The watched folder.
    var folder: String { "\(place)/inbox" }
    var record: String { "\(place)/luggage.sqlite" }

    /// The program that files what is in the folder, with its arguments.
    func filing() throws -> [String] {
        guard let program = ProgramBeside.ownPath else {
            throw Failure(.ioFailed, "this program cannot tell where it is: \(SystemError.last)")
        }
        // Whole as the copies are, none that ends early is waited for, as it would be while a camera writes it.
        return [
            program, "watch", folder, "--store", record, "--station", "TRIAL", "--timestamp", "now",
            "--grace", "2s",
        ]
    }
}
