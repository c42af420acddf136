/// How much work a picture is worth that does not read at once.
///
/// The work is counted in pixels looked at and never in time, so a picture gives the same answer
/// however busy the machine is.
public enum ReadEffort: String, CaseIterable, Hashable, Sendable {
    /// The likeliest ways only: for pictures that are good, or a great many.
    case fast
    /// What nearly all codes need that can be read at all.
    case normal
    /// Every way there is: for a picture that must be read.
    case thorough

    /// The number that stands for it where a reader is asked.
    package var number: UInt32 {
        switch self {
        case .normal: 0
        case .fast: 1
        case .thorough: 2
        }
    }
}
