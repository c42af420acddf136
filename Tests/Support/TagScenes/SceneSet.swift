internal import SeededRandom

/// The pictures of a set: the same ones each time they are drawn.
///
/// What is tuned is tuned on one set and judged on the other; they have no picture in common. A seed that
/// nobody has used gives a set that nobody can have tuned on.
///
/// The severities are calibrated with zxing-cpp 3.1.1, the best public reader, on the tuning set: it reads
/// 35 to 90% of each category. A change to the ranges, or to anything that is drawn, has to be measured
/// again.
package struct SceneSet: Sendable {
    /// Every picture is drawn from this and from its own name.
    package let seed: UInt64

    /// A set of one's own.
    package init(seed: UInt64) {
        self.seed = seed
    }

    /// For finding out what helps.
    package static let tuning = SceneSet(seed: 0x7475_6E69_6E67)
    /// For finding out whether it does; nothing is ever changed to suit these pictures.
    package static let validation = SceneSet(seed: 0x76_616C_6964_6174)

    /// Draws a picture.
    ///
    /// - Parameters:
    ///   - category: What makes it hard.
    ///   - number: Which one of the category; the severities of the first few are as evenly spread as
    ///     those of many.
    /// - Returns: The picture with its truth.
    /// - Throws: `TagDrawingError` when it cannot be drawn.
    package func picture(_ category: SceneCategory, number: Int) throws -> ScenePicture {
        let name = "\(category.rawValue)-\(number)"
        var generator = SeededGenerator(seed: Self.seed(of: name, in: seed))
        // Steps of the golden ratio fall into the largest gap each time.
        let place = 0.5 + Double(number) * 0.618_033_988_749_895
        let severity = place - place.rounded(.down)
        let recipe = try SceneRecipe(category, severity: severity, using: &generator)
        let (exposure, symbols) = try recipe.taken(using: &generator)
        return ScenePicture(
            category: category,
            severity: severity,
            exposure: exposure,
            symbols: symbols,
            format: recipe.format
        )
    }

    /// FNV-1a over the name, so that pictures do not depend on how many there are.
    private static func seed(of name: String, in seed: UInt64) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
