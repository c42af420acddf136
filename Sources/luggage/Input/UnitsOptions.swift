internal import ArgumentParser
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport

/// The option for the unit in which people see weights.
struct UnitsOptions: ParsableArguments {
    @Option(word: "The unit of weights for people; for programs, they are in pounds.")
    var units: MassUnit?

    /// The unit, from the command line and the settings of this machine.
    ///
    /// - Throws: ``Failure`` if the setting is wrong.
    func unit(by settings: SharedSettings) throws -> MassUnit { try Self.unit(units, settings) }

    /// The unit from the option, else from the settings.
    ///
    /// Every weight is shown with its unit. So an unreadable settings file, or a line that is not
    /// understood, does not stop the command.
    ///
    /// - Throws: ``Failure`` if the setting is wrong.
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
