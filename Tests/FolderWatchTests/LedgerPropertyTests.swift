internal import FolderWatch
internal import Testing

struct LedgerPropertyTests {
    @Test("Whatever happens, every file that stays is handed out after its last change, once")
    func everything() {
        for seed in 0..<1000 as Range<UInt64> {
            var model = LedgerModel(seed: seed)
            for _ in 0..<400 { model.step() }
            model.settle()
            for (name, file) in model.files where file.state.kind == .regular {
                #expect(
                    model.lastGiven[name] == file.version,
                    "seed \(seed): \(name) was handed out last before its last change"
                )
            }
            let handedOut = model.handedOut
            for _ in 0..<5 {
                model.scan(.changes)
                model.pass(.seconds(600))
                let hasTaken = model.take()
                #expect(!hasTaken, "seed \(seed): it is handed out for no reason")
            }
            #expect(model.handedOut == handedOut)
            #expect(
                model.ledger.count == model.files.count,
                "seed \(seed): of what is gone, something is left"
            )
            #expect(model.handedOut > 20, "seed \(seed): hardly anything has happened")
        }
    }
}
