internal import ArgumentParser
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// The words of the command line as they were before they were made text.
///
/// Names of files are bytes and need not be text. Made text, two different ones may be the same, and the
/// same as that of a third file.
package struct CommandLineWords: Sendable {
    private let words: [Word]

    private struct Word {
        let bytes: [UInt8]
        /// The bytes of the text that it has become.
        let text: [UInt8]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            text = Array(String(decoding: bytes, as: UTF8.self).utf8)
        }

        var isText: Bool { bytes == text }
    }

    package init(_ words: [[UInt8]]) {
        self.words = words.map(Word.init)
    }

    /// Those of this program, without its name.
    package static var current: CommandLineWords {
        let indices = 1..<max(1, Int(CommandLine.argc))
        return CommandLineWords(
            indices.compactMap { index in
                guard let word = unsafe CommandLine.unsafeArgv[index] else { return nil }
                return unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
            }
        )
    }

    /// What arguments are byte for byte.
    ///
    /// - Parameter arguments: All arguments that may be other than text, in their order.
    /// - Returns: Their bytes.
    /// - Throws: `ValidationError` where another word is no text, or it is not certain which.
    package func bytes(of arguments: [String]) throws -> [[UInt8]] {
        let texts = arguments.map { Array($0.utf8) }
        var found: [[UInt8]: ArraySlice<Word>] = [:]
        for word in words where !word.isText && found[word.text] == nil {
            let alike = words.filter { $0.text == word.text }
            // With as many words as arguments, each word is one of them.
            guard alike.count == texts.count(where: { $0 == word.text }) else {
                throw ValidationError(
                    "'\(word.bytes.escapedText.onOneLine)' is no text in UTF-8; write it as such, and "
                        + "give a file or folder that is called so another name"
                )
            }
            found[word.text] = alike[...]
        }
        return texts.map { found[$0]?.popFirst()?.bytes ?? $0 }
    }
}
