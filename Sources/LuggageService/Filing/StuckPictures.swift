internal import SystemSupport
internal import Synchronization

/// A picture that could not be put back where it was dropped.
struct StuckPicture: Sendable {
    /// The name that it should have again.
    let claim: ClaimedPicture
    /// Where it is.
    let place: FilePlace
    /// Which file it is; nil if its status cannot be read, as in a folder without access.
    private let identity: FileIdentity?

    /// Remembers where a picture is.
    ///
    /// - Returns: The picture; nil if another file might be taken for it later.
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
    /// - Returns: Where it is now; nil if someone took it away, or another file has its place.
    /// - Throws: ``FilingError``; it is then where it was.
    fileprivate func putBack() throws(FilingError) -> [UInt8]? {
        let found = place.identity
        if let identity, let found, found != identity { return nil }
        return try claim.putBack(from: place)
    }
}

/// The pictures that could not be put back so far.
///
/// No event tells when a folder becomes writable again, so the service retries from time to time.
final class StuckPictures: Sendable {
    private let pictures = Mutex<[StuckPicture]>([])

    /// Whether there are none.
    var isEmpty: Bool { pictures.withLock { $0.isEmpty } }

    /// Remembers a picture.
    ///
    /// - Parameter error: The failure to put it back; another failure is ignored.
    func add(from error: FilingError) {
        guard let new = error.stuck else { return }
        pictures.withLock { pictures in
            // A newer one at the same place replaces the older one.
            pictures.removeAll { $0.place.path == new.place.path }
            pictures.append(new)
        }
    }

    /// Tries to put each back, while no picture is being moved: a moved one has a hidden name too.
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
