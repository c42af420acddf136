/// What makes a picture hard to read.
package enum SceneCategory: String, CaseIterable, Sendable {
    case smallModules = "small-modules"
    case rotation
    case perspective
    case motionBlur = "motion-blur"
    case softFocus = "soft-focus"
    case lowContrast = "low-contrast"
    case unevenLight = "uneven-light"
    case glare
    case noise
    case jpeg
    case inverted
    case curved
    case damage
    case severalTags = "several-tags"
    case largePhoto = "large-photo"
    /// Printed by a thermal head with dead elements, and faded.
    case thermalPrint = "thermal-print"
    /// Folded, and some of them under a glossy film.
    case creased
    /// Seen by a camera for surveillance: few pixels, much processing.
    case surveillance
    /// On a moving belt, seen by a camera that reads row after row.
    case conveyor
    /// Several tags, each as sharp as it happens to be.
    case mixedSharpness = "mixed-sharpness"
    /// By a telephone, as the JPEG file that it makes.
    case telephone
    /// Tags and backgrounds without any symbol.
    case noCode = "no-code"
    /// What looks like a symbol and is none.
    case lookAlike = "look-alike"

    /// Whether there is something to read.
    package var hasSymbols: Bool { self != .noCode && self != .lookAlike }

    /// How many pictures of the category belong to a set.
    package var usualCount: Int { self == .largePhoto ? 16 : 40 }
}
