internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageService
internal import LuggageTags
internal import ObjectStore

/// A point on the command line: a built-in one, or one from the settings of this machine.
enum PointArgument {
    /// The placeholder in help.
    static let valueName = "origin|destination|…"

    /// The built-in points, and a hint at others, for help.
    static let words =
        Point.builtIn.map(\.rawValue).joined(separator: ", ")
        + ", or a point that the settings name"

    /// Proposes also the points that the settings name.
    static let completion = CompletionKind.custom { _, _, _ in
        let settings = SharedSettings(environment: ProcessInfo.processInfo.environment)
        return ((try? settings.points) ?? PointWords()).all.map(\.rawValue)
    }
}

extension SharedSettings {
    /// The points that are known here.
    ///
    /// - Throws: ``Failure`` if their setting is wrong, or cannot be read.
    var points: PointWords {
        get throws { try values(of: [.points]).points }
    }

    /// The role that the settings give to a point; for a built-in one, they are not read.
    ///
    /// - Throws: ``Failure`` if the setting of points is wrong, or cannot be read.
    func role(of point: Point) throws -> Point.Role? {
        point.builtInRole == nil ? try points.role(of: point) : nil
    }

    /// The point that the user names.
    ///
    /// - Parameters:
    ///   - word: The word; nil if the user named none.
    ///   - option: The option with the word.
    ///   - others: Points that are known although no setting names them.
    /// - Returns: The point.
    /// - Throws: `ValidationError` if there is no such point; ``Failure`` if the setting of points is
    ///   wrong, or cannot be read.
    func point(_ word: String?, _ option: String, besides others: [Point] = []) throws -> Point? {
        guard let word else { return nil }
        if let point = Point(rawValue: word), point.builtInRole != nil || others.contains(point) {
            return point
        }
        do {
            return try points.point(word, besides: others)
        } catch let error as WrongValue {
            throw ValidationError("\(option): \(error.problem); \(error.remedy)")
        }
    }

    /// The point to search for: one that is known here, or that is on record with a scan.
    ///
    /// - Parameters:
    ///   - word: The word; nil if the user named none.
    ///   - context: A context of the record.
    /// - Returns: The point.
    /// - Throws: As ``point(_:_:besides:)``, or `StoreError`.
    func point(asked word: String?, in context: ManagedObjectContext) throws -> Point? {
        guard let word, Point(rawValue: word)?.builtInRole == nil else {
            return word.flatMap(Point.init)
        }
        let others = try context.distinctValues(of: \Scan.point).sorted {
            $0.rawValue < $1.rawValue
        }
        return try point(word, "--point", besides: others)
    }
}
