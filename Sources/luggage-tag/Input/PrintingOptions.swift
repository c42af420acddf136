internal import ArgumentParser
internal import LuggageTags
internal import ProgramSupport
internal import SystemSupport
internal import TagPrinting

struct PrintingOptions: ParsableArguments {
    @Option(word: "The format of the symbol's payload; messagepack makes the smallest symbol.")
    var payload = PayloadWord.json

    @Option(word: "How the symbol names the owner: [\"D\",\"ZMU\"], an object, or \"ZMU/D\".")
    var ownerForm = OwnerWord.list

    @Option(word: "How the symbol gives the weight: a number is pounds.")
    var weightForm = WeightWord.number

    @Option(word: "The unit of the weight in the symbol, as a text or an object.")
    var weightUnit: MassUnit?

    @Option(word: "How much of the symbol may be damaged: about 7, 15, 25 or 30%.")
    var correction = QRSymbol.Correction.medium

    @Option(
        word: "One code, a strip with a code at both ends, or a wallet card of four codes."
    )
    var layout = TagLayout.label

    @Flag(help: "Add a claim stub, which the passenger tears off and keeps.")
    var stub = false

    @Option(
        help: ArgumentHelp(
            "The paper in millimetres or inches (default: label 100x150, loop 54x400, card 85.6x54).",
            discussion: "label is 100x150, strip is 54x150; 4x6in and 2x20in are common too.",
            valueName: "label|strip|WxH|WxHin"
        ),
        completion: .list(["label", "strip", "4x6in", "2x20in"]),
        transform: PaperSize.init(word:)
    )
    var size: PaperSize?

    @Option(
        help: ArgumentHelp(
            "The printer's dots in an inch (default: 300, for ZPL 203).",
            valueName: "number"
        ),
        completion: .list(["203", "300", "600"])
    )
    var dpi: Int?

    func validate() throws {
        if weightUnit != nil && weightForm == .number {
            throw ValidationError("a number is pounds: add --weight-form text or object")
        }
        if stub && !layout.hasStub {
            throw ValidationError("a \(layout.rawValue) has no claim stub; leave --stub out")
        }
    }

    /// The printer with these options.
    func printer(for format: TagFileFormat?) throws -> TagPrinter {
        let unit = weightUnit ?? .pounds
        let weight: WeightForm =
            switch weightForm {
            case .number: .number
            case .text: .text(unit)
            case .object: .object(unit)
            }
        var resolution = format == .zpl ? Resolution.dots203 : .dots300
        if let dpi {
            do {
                resolution = try Resolution(dotsPerInch: dpi)
            } catch let error as TagPrintingError {
                throw ValidationError("--dpi \(dpi): \(error)")
            }
        }
        return TagPrinter(
            encoder: TagEncoder(
                format: payload.format,
                ownerForm: ownerForm.form,
                weightForm: weight
            ),
            correction: correction,
            layout: layout,
            hasStub: stub,
            paper: size,
            resolution: resolution
        )
    }
}

/// A payload format, as a word.
enum PayloadWord: String, CaseIterable {
    case json
    case xmlPlist = "xml-plist"
    case binaryPlist = "binary-plist"
    case messagepack

    var format: any PayloadFormat {
        switch self {
        case .json: .json
        case .xmlPlist: .xmlPropertyList
        case .binaryPlist: .binaryPropertyList
        case .messagepack: .messagePack
        }
    }
}

/// A form of owners, as a word.
enum OwnerWord: String, CaseIterable {
    case list, object, text

    var form: OwnerForm {
        switch self {
        case .list: .list
        case .object: .object
        case .text: .text
        }
    }
}

/// A form of weights, as a word.
enum WeightWord: String, CaseIterable {
    case number, text, object
}

extension PaperSize {
    /// Parses a size: a word, or both sides in millimetres.
    fileprivate init(word: String) throws {
        switch word {
        case "label": self = .label
        case "strip": self = .strip
        default:
            let isInInches = word.lowercased().hasSuffix("in")
            let unit = isInInches ? 25.4 : 1
            let sides = word.lowercased().dropLast(isInInches ? 2 : 0)
                .split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1] else {
                throw ValidationError(
                    "'\(word.onOneLine)' is not a size; write label, strip, mm like 100x150, or inches "
                        + "like 4x6in"
                )
            }
            do {
                self = try PaperSize(width: width * unit, height: height * unit)
            } catch let error as TagPrintingError {
                throw ValidationError(error.description)
            }
        }
    }
}

// Remedies in terms of this program's options.

extension TagPrintingError {
    /// What is wrong, and what to do about it in options to type.
    var inOptions: String {
        let words: String? =
            switch remedy {
            case .largerPaper: "choose a larger --size"
            case .fewerDots: "choose a smaller --size or --dpi"
            case .roomForSymbol:
                "choose a larger --size, --correction L or --payload messagepack"
            default: remedy?.rawValue
            }
        return message + (words.map { "; \($0)" } ?? "")
    }
}
