internal import FolderWatch
internal import Testing

struct IgnoredNameTests {
    @Test(
        "A name that a program gives to what it has not finished is passed over",
        arguments: [
            ".hidden", ".", "tag.png.part", "tag.PART", "tag.tmp", "tag.png.crdownload",
            "tag.png.CrDownload", "tag.png.filepart", "tag.png~", "~", ".syncthing.tag.png.tmp",
            "~syncthing~tag.png.tmp", ".tag.png.Xa3f9Q", ".part", "",
        ]
    )
    func ignored(name: String) {
        #expect(IgnoredNames.contains(Array(name.utf8)))
    }

    @Test(
        "A name that a system gives to a file of its own is passed over too",
        arguments: [
            "Thumbs.db", "thumbs.db", "THUMBS.DB", "ehthumbs.db", "ehthumbs_vista.db",
            "desktop.ini", "Desktop.ini", ".DS_Store", "._tag.png", ".Spotlight-V100", ".Trashes",
            "__MACOSX",
        ]
    )
    func systems(name: String) {
        #expect(IgnoredNames.contains(Array(name.utf8)))
    }

    @Test(
        "Another name is not",
        arguments: [
            "Thumbs.db.png", "MyThumbs.db", "desktop.in", "desktop.ini.png", "MACOSX", "_MACOSX",
            "tag.png", "part", "tmp", "tag.part.png", "tagpart", "~tag.png", "tag.tmp1", "tag.",
            "filepart", " .png", "tag.png.\u{FF}", "図.png", "\n",
        ]
    )
    func notIgnored(name: String) {
        #expect(!IgnoredNames.contains(Array(name.utf8)))
    }

    @Test("Bytes that are no text do not matter")
    func noText() {
        #expect(!IgnoredNames.contains([0xFF, 0xFE]))
        #expect(IgnoredNames.contains([0xFF] + Array(".part".utf8)))
        #expect(!IgnoredNames.contains(Array(repeating: 0xC3, count: 255)))
    }
}
