internal import System
internal import Synchronization

/// A picture that could not be put back where it was dropped.
struct StuckPicture: Sendable {
    /// The name that it is to have again.
    let claim: ClaimedPicture
    /// Where it is.
    let place: FilePlace
    /// Which file it is; nil where that cannot be asked, in a folder that nobody may look into.
    private let identity: FileIdentity?

    /// Takes down where a picture is.
    ///
    /// - Returns: The picture; nil where another file might be taken for it later.
    init?(_ claim: ClaimedPicture, at place: FilePlace) {
        self.claim = claim
        self.place = place
        identity = place.identity
        let isHidden = place.path.lastComponent.starts(with: ClaimedPicture.prefix)
        if identity == nil && !isHidden { return nil }
    }

    /// Whether it is the same picture, at the same place.
    fileprivate func isSame(as other: StuckPicture) -> Bool {
        claim == other.claim && place.path == other.place.path && identity == other.identity
    }

    /// Puts it back.
    ///
    /// - Returns: Where it is now; nil where it was taken away, or another file has its place.
    /// - Throws: ``FilingError``; it is where it was then.
    fileprivate func putBack() throws(FilingError) -> [UInt8]? {
        let found = place.identity
        if let identity, let found, found != identity { return nil }
        return try claim.putBack(from: place)
    }
}

/// The pictures that could not be put back so far.
///
/// No event tells when a folder can be written to again, so they are tried from time to time.
final class StuckPictures: Sendable {
    private let pictures = Mutex<[StuckPicture]>([])

    /// Whether there are none.
    var isEmpty: Bool { pictures.withLock { $0.isEmpty } }

    /// Remembers a picture.
    ///
    /// - Parameter error: What has kept it from being put back, or another failure.
    func add(from error: FilingError) {
        guard let new = error.stuck else { return }
        pictures.withLock { pictures in
            // One that has the place of another is the one to look for there.
            pictures.removeAll { $0.place.path == new.place.path }
            pictures.append(new)
        }
    }

    /// Tries to put each of them back, while no picture is being moved: that has a hidden name too.
    ///
    /// - Returns: The paths of those that were put back.
    func putBack() -> [[UInt8]] {
        pictures.withLock { $0 }.compactMap { picture in
            do throws(FilingError) {
                let path = try picture.putBack()
                pictures.withLock { $0.removeAll { $0.isSame(as: picture) } }
                return path
            } catch {
                return nil
            }
        }
    }
}
