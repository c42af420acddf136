internal import ArgumentParser
internal import Glibc
internal import SystemSupport

/// The words of the command line as bytes, before their conversion to text.
///
/// File names are bytes and need not be valid text. Two different names may become the same text, and
/// that may be the name of a third file.
package struct CommandLineWords: Sendable {
    private let words: [Word]

    private struct Word {
        let bytes: [UInt8]
        /// The bytes after conversion to text.
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

    /// This program's words, without its name.
    package static var current: CommandLineWords {
        let indices = 1..<max(1, Int(CommandLine.argc))
        return CommandLineWords(
            indices.compactMap { index in
                guard let word = unsafe CommandLine.unsafeArgv[index] else { return nil }
                return unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
            }
        )
    }

    /// Returns the original bytes of arguments.
    ///
    /// - Parameter arguments: All arguments that may be invalid text, in order.
    /// - Returns: Their bytes.
    /// - Throws: `ValidationError` if another word is invalid text, or it is not certain which one is.
    package func bytes(of arguments: [String]) throws -> [[UInt8]] {
        let texts = arguments.map { Array($0.utf8) }
        var found: [[UInt8]: ArraySlice<Word>] = [:]
        for word in words where !word.isText && found[word.text] == nil {
            let alike = words.filter { $0.text == word.text }
            // If there are as many words as arguments, each word is one of them.
            guard alike.count == texts.count(where: { $0 == word.text }) else {
                throw ValidationError(
                    "'\(word.bytes.escapedText.onOneLine)' is not valid UTF-8; write it in UTF-8, "
                        + "and rename a file or folder that has such a name"
                )
            }
            found[word.text] = alike[...]
        }
        return texts.map { found[$0]?.popFirst()?.bytes ?? $0 }
    }
}
