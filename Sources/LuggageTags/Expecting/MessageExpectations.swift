internal import FoundationEssentials

/// Lists of bags as airlines send them: baggage source messages (BSM), each with the bags of a passenger.
///
/// A message CHG takes the place of what was said of its bags before, and DEL takes that back. So does one that
/// does not let its bags be loaded (`.S/N`): nobody need look for them, until another one lets them. An ADD
/// that comes again after a bag was moved to another flight does not move it back. Messages of other kinds among
/// them say nothing.
struct MessageExpectations: ExpectationFormat {
    /// When the messages were sent or read, by which the year of a flight is found.
    let date: Date

    func recognises(_ file: [UInt8]) -> Bool {
        // A network puts some lines of its own in front.
        !MessageElements.messages(in: Array(file.prefix(4096))).isEmpty
    }

    func bags(of file: [UInt8]) -> [ListedEntry] {
        var entries: [ListedEntry] = []
        let messages = MessageElements.messages(in: file)
        // Where there is no other, that is what is wrong with the list.
        let hasSource = messages.contains { (try? $0.get())?.kind == BaggageSourceMessage.kind }
        for message in messages {
            let elements = try? message.get()
            let line = elements?.line
            let isOther = elements.map { $0.kind != BaggageSourceMessage.kind } ?? false
            do {
                let message = try BaggageSourceMessage(message.get())
                for tag in try message.tags(readAt: date) {
                    let place = RecordPlace(number: entries.count + 1, line: line)
                    entries.append(
                        ListedEntry(place: place, bag: Result(list: tag), effect: message.effect)
                    )
                }
            } catch {
                let flaw = error as? MessageFlaw
                entries.append(
                    ListedEntry(
                        place: RecordPlace(number: entries.count + 1, line: flaw?.line ?? line),
                        bag: .failure(
                            TagError(.structured, .malformed, flaw?.reason ?? "\(error)")
                        ),
                        isPassedOver: isOther && hasSource
                    )
                )
            }
        }
        return entries
    }
}

extension BaggageSourceMessage {
    /// What it does to what was said of its bags before.
    fileprivate var effect: ListedEntry.Effect {
        switch change {
        case .remove: .takeBack
        case .add: mayBeLoaded == false ? .takeBack : .add
        case .replace: mayBeLoaded == false ? .takeAllBack : .replace
        }
    }
}
