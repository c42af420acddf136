/// How much work to spend on a picture that cannot be read at once.
///
/// The work is counted in pixels, never in time, so a picture gives the same answer on a busy machine.
public enum ReadEffort: String, CaseIterable, Hashable, Sendable {
    /// The most likely ways only: for good pictures, or very many.
    case fast
    /// The ways that nearly all readable codes need.
    case normal
    /// All ways: for a picture that must be read.
    case thorough

    /// The number for it in the reader protocol.
    package var number: UInt32 {
        switch self {
        case .normal: 0
        case .fast: 1
        case .thorough: 2
        }
    }
}
