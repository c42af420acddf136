internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import TagReading

// Pictures, and the pages of those that could not be read.

extension Board {
    static let smallSide = 240
    static let largeSide = 1600

    /// A picture that the record knows.
    func filed(_ digest: String, side: Int) async throws -> PageAnswer {
        guard digest.utf8.count == 64, digest.allSatisfy(\.isHexDigit),
            let layout = settings.layout, let pictures
        else { throw Refusal.noPage }
        let key = SmallPictures.Key(picture: digest, side: side)
        if let bytes = pictures.known(key) { return png(bytes) }
        let names = try record.read { context in
            try context.fetch(
                FetchRequest(Scan.self).where(\.imageDigest, is: digest).limited(to: 4)
            ).map(\.imageName)
        }
        for name in Set(names) {
            guard let image = await layout.picture(named: name, digest: digest) else { continue }
            if let bytes = await pictures.png(image, key) { return png(bytes) }
        }
        throw Refusal.noPage
    }

    /// A picture that could not be read.
    func unread(_ text: String, side: Int) async throws -> PageAnswer {
        guard let layout = settings.layout, let pictures, let key = PictureKey(text) else {
            throw Refusal.noPage
        }
        let path = Array("\(layout.path(of: .failed))/".utf8) + key.name
        guard key.name.first != UInt8(ascii: "."),
            let image = try? TagImage(path: path, name: "picture")
        else { throw Refusal.noPage }
        // Another file may have the name later.
        let file = "\(image.fileNumber) \(image.stateChangeTime)"
        guard let bytes = await pictures.png(image, .init(picture: file, side: side)) else {
            throw Refusal.noPage
        }
        return png(bytes, isLasting: false)
    }

    private func png(_ bytes: [UInt8], isLasting: Bool = true) -> PageAnswer {
        let caching = isLasting ? "private, max-age=86400, immutable" : "private, no-cache"
        return PageAnswer(
            200,
            [("Content-Type", "image/png"), ("Cache-Control", caching)],
            .whole(bytes)
        )
    }

    // MARK: Pages

    /// A page of the pictures that could not be read: those whose names follow a name.
    func failedPage(after key: String? = nil, notice: Notice? = nil) throws -> Page {
        guard let layout = settings.layout else { throw Refusal.noFolder }
        let token = try record.lastHistoryToken()
        let all = try FailedPicture.names(in: layout)
        let last = key.flatMap(PictureKey.init)?.name ?? []
        var names = all.drop { !last.lexicographicallyPrecedes($0) }
        // Those that followed have been settled, and these have not.
        if names.isEmpty { names = all[...] }
        let page = FailedListPage(
            showing: showing,
            pictures: names.prefix(FailedListPage.most).map { FailedPicture($0, in: layout) },
            more: max(0, names.count - FailedListPage.most),
            notice: notice
        )
        return Page(
            title: settings.words.failed,
            place: .failed,
            sections: page.sections,
            token: token ?? HistoryToken(rawValue: 0)
        )
    }

    func failedPicturePage(
        _ text: String,
        _ visitor: Visitor,
        _ typed: [String: String],
        _ notice: Notice?
    ) throws -> Page {
        guard let layout = settings.layout else { throw Refusal.noFolder }
        guard let name = PictureKey(text)?.name,
            try FailedPicture.names(in: layout).contains(name)
        else {
            return try failedPage(notice: Notice(sentence: settings.words.isGone, isGood: false))
        }
        let picture = FailedPicture(name, in: layout)
        let page = FailedPicturePage(
            showing: showing,
            seal: seal(visitor),
            picture: picture,
            mayFile: visitor.role >= .file,
            typed: typed,
            notice: notice
        )
        return Page(
            title: picture.displayName,
            place: .failed,
            sections: page.sections,
            layout: "side-by-side"
        )
    }
}
