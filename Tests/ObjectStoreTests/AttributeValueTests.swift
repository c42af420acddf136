import Foundation
import Testing

@testable import ObjectStore

@Suite("Values of attributes")
struct AttributeValueTests {
    @Test(
        "that together have the same bytes have different hashes, so that nobody can make keys collide",
        arguments: [
            [[.text("ab"), .text("c")], [.text("a"), .text("bc")], [.text("abc"), .text("")]],
            [[.data(Data([1, 2])), .data(Data())], [.data(Data([1])), .data(Data([2]))]],
            [[.text("a")], [.data(Data([97]))]],
        ] as [[[AttributeValue]]]
    )
    func hashes(alike: [[AttributeValue]]) {
        #expect(Set(alike.map(\.hashValue)).count == alike.count)
    }
}
