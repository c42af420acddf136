internal import FoundationEssentials

/// What `luggage board` asks `luggage-board` to do.
///
/// Only that program is linked with a server for HTTP, so who wants no board has none.
package enum BoardRequest: Codable, Hashable, Sendable {
    /// Shows a record until it is stopped.
    case show(Showing)
    /// Makes a token, and prints the link that has it, perhaps also as a QR code.
    case addToken(file: String, name: String, role: String, address: String, isDrawn: Bool)
    case listTokens(file: String)
    /// Makes a token count no more.
    case revokeToken(file: String, name: String)

    /// What is shown, and where.
    package struct Showing: Codable, Hashable, Sendable {
        /// The path of the record.
        package var record: String
        /// The path of the settings' file, if one was named.
        package var configuration: String?
        /// The watched folder, if one was named.
        package var folder: String?
        /// Where all bags in it are, if that was said.
        package var point: String?
        /// An address and a port, or the path of a socket.
        package var listen: String
        /// The path of the file of tokens.
        package var tokens: String
        /// After how many seconds a missing bag is overdue; nil for what the settings say.
        package var patience: Double?
        /// Who gets a link that counts as long as the program runs; nil for nobody.
        package var guest: String?
        /// A program that files what is dropped, with its arguments, which ends with the board; empty for
        /// none.
        package var filing: [String]
        /// A folder that is removed at the end, for a board that is only tried; nil for none.
        package var passingFolder: String?

        /// Describes it.
        package init(
            record: String,
            configuration: String?,
            folder: String?,
            point: String?,
            listen: String,
            tokens: String,
            patience: Double?,
            guest: String?,
            filing: [String] = []
        ) {
            (self.record, self.configuration) = (record, configuration)
            (self.folder, self.point, self.listen) = (folder, point, listen)
            (self.tokens, self.patience, self.guest, self.filing) = (
                tokens, patience, guest, filing
            )
        }
    }

    /// The variable of the environment that has the request as JSON: other users cannot read it there.
    package static let variable = "LUGGAGE_BOARD_REQUEST"

    /// Reads the request of this process; nil if there is none.
    package init?(environment: [String: String]) {
        guard let text = environment[Self.variable],
            let request = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
        else { return nil }
        self = request
    }

    /// The request as JSON.
    package var text: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}
