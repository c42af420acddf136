internal import LuggageTags

// Remedies in terms of this program's commands and options.

extension Remedy {
    /// The remedy as a command to type.
    var inCommands: Remedy {
        switch self {
        case .exportAgain: "export it again with `luggage export`"
        case .nameFormat: "export it again, or name its format with --format"
        case .takePart: "copy or export it again, or take what there is with --partial"
        case .repairRecord: "repair the record, or take the others with --partial"
        case .correctRecord: "correct it, or take the others with --partial"
        case .chooseSide: "correct one of the two, or choose another --merge-policy"
        case .scanPicture: "file the bags whose tags it shows with `luggage scan`"
        case .correct: "correct it with `luggage edit`"
        case .settleBags:
            "`luggage check --settle` derives each bag anew from its scans and corrections"
        case .settleNames: "`luggage check --settle` corrects the spelling"
        case .restore:
            "put an earlier copy in place of the record with `luggage restore`, or keep it as it is"
        case .bringBack:
            """
            `luggage redo` brings back what was taken back, and `luggage scan` files it anew; else remove \
            the picture
            """
        case .nameWatchedFolder: "name a folder that `luggage watch` has made"
        case .nameOtherFolder: "name its folder too, with another --folder"
        case .lookAtChanges: "`luggage undo --list` and `luggage redo --list` show them"
        default: self
        }
    }
}

extension RecordFinding {
    /// The finding with its remedy as a command to type.
    var inCommands: RecordFinding {
        var finding = self
        finding.remedy = remedy.inCommands
        return finding
    }
}

extension ImportReport {
    /// The report with its remedies as commands to type.
    var inCommands: ImportReport {
        var report = self
        for place in report.refusals.indices {
            report.refusals[place].remedy = report.refusals[place].remedy.inCommands
        }
        return report
    }
}
