internal import ArgumentParser
internal import ProgramSupport

/// `luggage doctor`: says what a station lacks until it files its first picture.
///
/// It is no option of `luggage status`, which tells of one watched folder and ends with 66 where there is none:
/// this one has to answer on a machine that has nothing yet.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what is missing until the first picture is filed, and what to type.",
        discussion: """
            luggage doctor
            luggage doctor --folder /srv/luggage/gate-4

            It looks at all that lies between an empty machine and a filed picture, in the order in \
            which one sets it up, and tries to read a picture. It changes nothing. Each line says that \
            something is right, wrong, or unseen because something before it is wrong or you may not look; \
            `advice` is what works and could be better. Below it is what to type. The exit status is 1 \
            while something is wrong.
            """
    )

    @OptionGroup var option: FolderOption

    @Option(
        help: ArgumentHelp("The file that keeps the record.", valueName: "path"),
        completion: .file()
    )
    var store: String?

    @OptionGroup var settings: SettingsOptions

    @Option(word: "Lines for people, or one JSON object for programs.")
    var format: OutputFormat = .table

    func run() async throws {
        let doctor = StationDoctor(settings: settings.shared, folder: option.folder, store: store)
        let report = StationReport(await doctor.examine())
        switch format {
        case .json: try StandardOutput.jsonDocument(report)
        case .table: try write(report)
        }
        if !report.isReady { throw ExitStatus.incomplete.code }
    }

    private func write(_ report: StationReport) throws {
        let terminal = Terminal.current
        for check in report.checks {
            let state = check.state.rawValue.padded(toWidth: 8)
            let text = "\(check.check.rawValue): \(check.message)"
            let lines = terminal.wrap(text, indent: 8).dropFirst(8)
            try StandardOutput.line(terminal.paint(state, check.state.tone) + lines)
            // Never wrapped: it is to be copied.
            for remedy in check.remedies { try StandardOutput.line("          \(remedy)") }
        }
        try StandardOutput.line("\n\(Self.end(of: report))")
    }

    private static func end(of report: StationReport) -> String {
        guard report.isReady else {
            return "Next: \(report.next ?? "what the first line with `wrong` says")"
        }
        let ask = StationDoctor.askAsAdministrator
        return report.checks.contains { $0.state == .unseen && $0.remedies.contains(ask) }
            ? "What you may see is in place; `\(ask)` sees the rest."
            : "Everything is in place: drop pictures."
    }
}

extension StationCheck.State {
    fileprivate var tone: Tone {
        switch self {
        case .right: .good
        case .wrong: .bad
        case .advice: .warning
        case .unseen: .faint
        }
    }
}
