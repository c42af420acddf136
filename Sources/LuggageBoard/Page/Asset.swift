internal import LuggageTags
internal import SystemSupport

/// A file that every page needs, which is a part of the program.
struct Asset: Sendable {
    let bytes: [UInt8]
    let type: String
    /// Its path, which is another one for another content: browsers keep it for ever.
    let path: String

    private init(_ bytes: [UInt8], _ name: String, _ ending: String, _ type: String) {
        (self.bytes, self.type) = (bytes, type)
        var digest = SHA256()
        digest.update(bytes)
        path = "/\(name)-\(digest.finalize().prefix(6).hexadecimal).\(ending)"
    }

    static let style = Asset(PackageResources.board_css, "board", "css", "text/css; charset=utf-8")
    static let script = Asset(
        PackageResources.board_js,
        "board",
        "js",
        "text/javascript; charset=utf-8"
    )
    static let icon = Asset(PackageResources.icon_svg, "icon", "svg", "image/svg+xml")
    static let all = [style, script, icon]

    var answer: PageAnswer {
        PageAnswer(
            200,
            [
                ("Content-Type", type), ("Cache-Control", "public, max-age=31536000, immutable"),
            ],
            .whole(bytes)
        )
    }
}
