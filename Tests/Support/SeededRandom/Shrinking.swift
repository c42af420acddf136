/// The smallest part of a history that fails which still fails, with what is wrong with it.
///
/// Large parts are left out first. In the end no step can be left out.
///
/// - Parameters:
///   - history: What fails.
///   - steps: Its steps.
///   - why: What is wrong with it.
///   - failure: What is wrong with another one; nil for nothing.
/// - Returns: The history that is left, and what is wrong with it.
public func shrunk<History, Step>(
    _ history: History,
    by steps: WritableKeyPath<History, [Step]>,
    _ why: String,
    failure: (History) -> String?
) -> (least: History, why: String) {
    var (least, why) = (history, why)
    var size = max(1, least[keyPath: steps].count / 2)
    while size > 0 {
        var (place, isShorter) = (0, false)
        while place < least[keyPath: steps].count {
            var shorter = least
            let end = min(place + size, least[keyPath: steps].count)
            shorter[keyPath: steps].removeSubrange(place..<end)
            if let wrong = failure(shorter) {
                (least, why, isShorter) = (shorter, wrong, true)
            } else {
                place += size
            }
        }
        // What could not be left out before may be so now.
        if size > 1 || !isShorter { size /= 2 }
    }
    return (least, why)
}
