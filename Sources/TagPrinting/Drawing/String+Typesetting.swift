internal import LuggageTags

extension String {
    /// The text in drawing order from left to right, with one code point per letter if there is one.
    var inDrawingOrder: String {
        let letters = composed.unicodeScalars.filter {
            // Variation selectors of ideographs have no drawing of their own.
            !$0.properties.isDefaultIgnorableCodePoint
        }
        let text = String(String.UnicodeScalarView(letters))
        return text.unicodeScalars.contains(where: \.isHebrew) ? String(text.reversed()) : text
    }

    /// The reason why a text cannot be set letter by letter; nil if it can.
    var reasonNotToSet: String? {
        if unicodeScalars.contains(where: \.takesOtherForms) && count > 1 {
            return
                "is in a script whose letters join or change places, which this program cannot set; "
                + "write it in the letters of the passport's last lines (A to Z)"
        }
        return nil
    }
}

extension Unicode.Scalar {
    fileprivate var isHebrew: Bool { (0x0590...0x05FF).contains(value) }

    /// Whether its script is not written letter by letter.
    ///
    /// These are Arabic and related scripts, the scripts of India and related ones, and Mongolian.
    fileprivate var takesOtherForms: Bool {
        switch value {
        case 0x0600...0x0DFF, 0x0F00...0x109F, 0x1780...0x18AF, 0x1900...0x1AAF, 0x1B00...0x1C4F,
            0xA800...0xAAFF, 0xABC0...0xABFF, 0xFB50...0xFDFF, 0xFE70...0xFEFE, 0x1_0800...0x1_1FFF,
            0x1_E800...0x1_EFFF:
            true
        default: false
        }
    }
}
