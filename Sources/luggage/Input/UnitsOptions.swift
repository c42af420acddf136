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
    /// - Throws: ``Failure`` where the environment is wrong.
    func unit(by settings: SharedSettings) throws -> MassUnit { try Self.unit(units, settings) }

    /// The unit that an option names, else that of the settings.
    ///
    /// Every weight is shown with its unit, so a file that is wrong keeps nobody from asking.
    static func unit(_ units: MassUnit?, _ settings: SharedSettings) throws -> MassUnit {
        if let units { return units }
        do {
            return try settings.values(of: [.units]).units
        } catch {
            let variable = ProcessInfo.processInfo.environment[WatchSetting.units.variable] ?? ""
            if !variable.isEmpty { throw error }
            return .pounds
        }
    }
}
