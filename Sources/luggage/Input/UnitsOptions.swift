internal import ArgumentParser
internal import Foundation
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport

/// In which unit weights are shown to people.
struct UnitsOptions: ParsableArguments {
    @Option(word: "The unit of weights for people; for programs, they are in pounds.")
    var units: MassUnit?

    /// The unit, by the command line and the settings of this machine.
    ///
    /// - Throws: ``Failure`` where it is set wrongly.
    func unit(by settings: SharedSettings) throws -> MassUnit { try Self.unit(units, settings) }

    /// The unit that an option names, else that of the settings.
    ///
    /// Every weight is shown with its unit, so a file that cannot be read, or a line in it of which
    /// nobody knows what it sets, keeps nobody from asking.
    ///
    /// - Throws: ``Failure`` where it is set wrongly.
    static func unit(_ units: MassUnit?, _ settings: SharedSettings) throws -> MassUnit {
        if let units { return units }
        do throws(ConfigurationError) {
            return try settings.configuration(of: [.units]).units
        } catch {
            let told = error.mistakes.filter { $0.isKnown(toConcern: .units) }
            if told.isEmpty { return .pounds }
            throw Failure(.configuration, sentences: told.map(\.description))
        }
    }
}
