import Foundation
import LuggageTags
import Subprocess
import SystemPackage
import TagPrinting
import TagReading
import TestFolders
import Testing
import TestProcesses
import ZBarTagReader

/// Tags for tests, and what becomes of them when they are read.
enum Tags {
    static let identifier = UUID()

    static func tag(_ givenName: String = "D", _ familyName: String = "ZMU") throws -> PrintedTag {
        try PrintedTag(
            identifier: identifier,
            owner: PassengerName(givenName: givenName, familyName: familyName),
            pounds: 42,
            origin: PlaceName("ZRH"),
            destination: PlaceName("JFK")
        )
    }

    static let payloads: [any PayloadFormat] = PayloadFormats.writable

    /// What our reader finds in a PNG file.
    static func read(_ png: [UInt8]) async throws -> Reading {
        let folder = try TemporaryFolder()
        return try await ZBarTagReader().read(TagImage(path: folder.write(png, to: "tag.png")))
    }
}

/// A program of Debian's that turns shapes into dots as a printer does.
enum Renderer: String, CaseIterable {
    case pdftoppm, rsvg = "rsvg-convert"

    private var executable: String { "/usr/bin/\(rawValue)" }

    /// Whether it is installed; where it is not, that is said aloud.
    var isInstalled: Bool {
        let isThere = FileManager.default.isExecutableFile(atPath: executable)
        if !isThere {
            let package = self == .pdftoppm ? "poppler-utils" : "librsvg2-bin"
            print(
                "\(rawValue) IS NOT INSTALLED: what it makes of tags is not tested; see \(package)"
            )
        }
        return isThere
    }

    /// The first page of a file, as a PNG file.
    func png(of bytes: [UInt8], dotsPerInch: Int) async throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let input = try folder.write(bytes, to: "tag")
        let output = folder.path("page.png")
        let arguments =
            switch self {
            case .pdftoppm:
                ["-r", "\(dotsPerInch)", "-png", "-singlefile", input, "\(output.dropLast(4))"]
            case .rsvg: ["-d", "\(dotsPerInch)", "-p", "\(dotsPerInch)", "-o", output, input]
            }
        let run = try await Subprocess.run(
            .path(.init(executable)),
            arguments: .init(arguments),
            platformOptions: .endingWithTests,
            output: .discarded,
            error: .string(limit: 1 << 16)
        )
        try #require(run.terminationStatus == .exited(0), "\(run.standardError)")
        return try Array(Data(contentsOf: URL(filePath: output)))
    }
}
