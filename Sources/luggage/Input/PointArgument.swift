internal import ArgumentParser
internal import Foundation
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

/// A point as the command line names it, which the settings of this machine may have named.
enum PointArgument {
    /// What it is called in help.
    static let valueName = "origin|destination|…"

    /// The points that are built in, and that there may be others, as help says it.
    static let words =
        Point.builtIn.map(\.rawValue).joined(separator: ", ")
        + ", or a point that the settings name"

    /// Those that the settings name are proposed too.
    static let completion = CompletionKind.custom { _, _, _ in
        let settings = SharedSettings(environment: ProcessInfo.processInfo.environment)
        return ((try? settings.points) ?? PointWords()).all.map(\.rawValue)
    }
}

extension SharedSettings {
    /// The points that are known here.
    ///
    /// - Throws: ``Failure`` where they are set wrongly, or cannot be known.
    var points: PointWords {
        get throws { try values(of: [.points]).points }
    }

    /// The role that the settings give a point; of one that is built in, they are not asked.
    ///
    /// - Throws: ``Failure`` where the points are set wrongly, or cannot be known.
    func role(of point: Point) throws -> Point.Role? {
        point.builtInRole == nil ? try points.role(of: point) : nil
    }

    /// The point that somebody names.
    ///
    /// - Parameters:
    ///   - word: The word; nil where nobody has named one.
    ///   - option: The option in which it stands.
    ///   - others: Points that are known besides, though no setting names them.
    /// - Returns: The point.
    /// - Throws: `ValidationError` where there is no such point; ``Failure`` where the points are set
    ///   wrongly, or cannot be known.
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

    /// The point that somebody asks for: one that is known here, or at which something on record was
    /// scanned.
    ///
    /// - Parameters:
    ///   - word: The word; nil where nobody has named one.
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
