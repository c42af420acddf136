internal import FolderWatch
internal import Glibc
internal import TestFolders
internal import Testing

@Suite(.timeLimit(.minutes(30)))
struct SignalTests {
    @Test("The thread that watches takes no signal that is for the program")
    func blocked() async throws {
        let (masks, told) = AsyncStream.makeStream(of: [Bool].self)
        let folder = try TemporaryFolder()
        var system = WatchSystem.live
        let wait = system.wait
        system.wait = { descriptors, timeout in
            var signals = sigset_t()
            unsafe pthread_sigmask(SIG_BLOCK, nil, &signals)
            let some = [SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGCHLD, SIGALRM]
            told.yield(some.map { unsafe sigismember(&signals, $0) == 1 })
            return wait(descriptors, timeout)
        }
        let watch = FolderWatch(folders: [folder.bytes], options: .default, system: system)
        for await areBlocked in masks {
            #expect(!areBlocked.contains(false))
            break
        }
        watch.stop()
    }
}
