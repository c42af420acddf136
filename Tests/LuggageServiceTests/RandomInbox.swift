import Foundation
import SeededRandom

extension WatchedInbox {
    /// Puts pictures of a few bags into a folder, which contradict one another, some of them broken.
    func fill(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for number in 0..<20 {
            let weight = "\(40 + generator.number(below: 3)).0"
            let owner = [("D", "ZMU"), ("E", "ZMU")][generator.number(below: 2)]
            var picture = try tagPicture(
                generator.number(below: 5),
                weight: generator.number(below: 8) == 0 ? "-1" : weight,
                owner: owner
            )
            if generator.number(below: 10) == 0 { picture = Array("broken \(number)".utf8) }
            let path = try drop("\(number).png", picture)
            // Copies of a picture have its time: which of them is filed is a matter of chance.
            let second = picture.reduce(0) { ($0 &* 31 &+ Int($1)) % 10 }
            let date = Date(timeIntervalSince1970: Double(1_700_000_000 + second))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
    }
}

extension Array {
    /// The elements in an order of their own.
    func shuffled(seed: Int) -> [Element] {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 77)
        return shuffled(using: &generator)
    }
}
