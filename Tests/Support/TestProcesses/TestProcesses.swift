internal import CLinux
internal import Foundation
package import Subprocess

/// Lets what a test starts end with the process of the tests, also where that is killed.
package enum TestProcesses {
    /// The group of all that is started, which is killed as a whole when this process has ended.
    ///
    /// A parent's death signal would not do: it comes when the thread has ended that started the
    /// process, and what that process has started itself gets none. The first of the group is a shell
    /// that waits for the end of this process; while it lives, no other group has this number.
    package static let group: pid_t = {
        var identifier: pid_t = 0
        let shell = ["/bin/sh", "-c", "\(endOfTests); kill -KILL 0"]
        var words: [UnsafeMutablePointer<CChar>?] = unsafe shell.map { unsafe strdup($0) }
        defer { unsafe words.forEach { unsafe free($0) } }
        unsafe words.append(nil)
        var none: UnsafeMutablePointer<CChar>?
        let files = [SYSTEM_NO_FILE, SYSTEM_NO_FILE, SYSTEM_NO_FILE]
        let error = unsafe withUnsafePointer(to: &none) { environment in
            unsafe words.withUnsafeBufferPointer { words in
                unsafe files.withUnsafeBufferPointer { files in
                    unsafe shell[0].withCString { path in
                        var program = unsafe SystemProgram(
                            executable: path,
                            arguments: words.baseAddress,
                            environment: environment,
                            descriptors: files.baseAddress,
                            descriptor_count: Int32(files.count),
                            group: SYSTEM_OWN_GROUP
                        )
                        return unsafe system_start(&program, &identifier)
                    }
                }
            }
        }
        guard error == 0 else { fatalError("/bin/sh cannot be started: error \(error)") }
        return identifier
    }()

    /// A command for a shell that lasts until this process has ended.
    ///
    /// It is for what leads a group of its own, and would be left behind by ``group``. Nobody writes
    /// to the pipe that it reads; after the end of this process, it does not even find it.
    package static let endOfTests: String = {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        let error = unsafe system_open_pipe(&reading, &writing)
        guard error == 0 else { fatalError("there is no pipe: error \(error)") }
        return "cat /proc/\(getpid())/fd/\(reading) 2>&-"
    }()

    /// For how long a test waits for what is not to last, on the slowest machine.
    package static let patience = Duration.seconds(600)
}

extension PlatformOptions {
    /// Those of a program that ends with the tests.
    package static var endingWithTests: PlatformOptions {
        var options = PlatformOptions()
        options.processGroupID = TestProcesses.group
        return options
    }
}
