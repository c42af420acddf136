import Foundation
import Testing

@Suite("luggage watch and the place of its figures")
struct FiguresPlaceTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
        try place.makeFolder("inbox/origin")
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: place.path(name))
    }

    @Test(
        "writes its figures neither to its record nor to what is beside it",
        arguments: [
            "--store new/record --metrics new/record",
            "--store new/record --metrics new/record-wal",
            "--store new/.bags.partial --metrics new/bags",
            "--store record --metrics new/../record",
            "--store new/../record --metrics record", "--store ./record --metrics record-shm",
            "--store record --metrics record-hub-lock",
        ]
    )
    func figures(arguments: String) async throws {
        let run = try await place.shell("'\(Workplace.executable)' watch --once \(arguments) new")
        #expect(run.status == 78 && run.errors.contains("choose another name"), "\(run.errors)")
        #expect(!exists("new") && !exists("record"))
    }

    @Test(
        "writes its figures in the place of nothing that is no file of figures",
        arguments: [
            "--metrics pipe", "--metrics inbox", "--metrics device",
            "--configuration settings --metrics settings", "--configuration figures",
        ]
    )
    func otherThings(arguments: String) async throws {
        let setUp = """
            mkfifo pipe && (mknod device c 1 3 || ln -s /dev/null device) && echo 'folder: inbox' > settings \
                && printf 'folder: inbox\\nmetrics: figures\\n' > figures
            touch before && ls -l | grep -v -e before -e total > before
            """
        #expect(try await place.shell(setUp).status == 0)
        for check in ["--once", "--check"] {
            let run = try await place.shell(
                "'\(Workplace.executable)' watch \(check) --store record \(arguments) inbox"
            )
            #expect(run.status == 78, "\(run.errors)")
            #expect(run.errors.contains("the file of figures: "), "\(run.errors)")
        }
        let changes = try await place.shell("ls -l | grep -v -e before -e total | diff before -")
        #expect(changes.output == "")
    }
}
