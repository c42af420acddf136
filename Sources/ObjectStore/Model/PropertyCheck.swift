/// Compares the declared properties of an entity with those of its class.
///
/// What it finds would end the program when the property is used, or keep no values.
struct PropertyCheck {
    private let probe: ClassProbe
    private let entity: String
    private(set) var problems: [String] = []
    private var known: Set<Int> = []

    /// Whether the class serves other versions of the model, in which properties have other names.
    private let isPartial: Bool

    init(_ probe: ClassProbe, of entity: String, isPartial: Bool) {
        self.isPartial = isPartial
        self.probe = probe
        self.entity = entity
        let most = ClassProbe.mostProperties
        if probe.count > most {
            note("its class wraps \(probe.count) properties, and at most \(most) can be kept")
        }
    }

    /// What the class declares for a key path.
    mutating func declaration(of keyPath: AnyKeyPath, named name: String?) -> ClassProbe.Declared? {
        guard let position = probe.position(of: keyPath), let declared = probe.declared[position]
        else {
            let name = name ?? "\(keyPath)".split(separator: ".").last.map(String.init) ?? ""
            problems.append(
                "\(entity).\(name): the class does not wrap it; declare it with @Attribute, @ToOne or @ToMany"
            )
            return nil
        }
        known.insert(position)
        if let base = declared.inheritedFrom { noteInherited(declared.name, from: base) }
        let others = probe.declared.values.map(\.name)
        if let name, !isPartial, name != declared.name, others.contains(name) {
            problems.append(
                "\(entity).\(declared.name): it is declared with the name of another property, "
                    + "\(name)"
            )
        }
        return declared
    }

    private mutating func noteInherited(_ name: String, from base: String) {
        problems.append(
            "\(entity).\(name): it is inherited from \(base), and only properties of the "
                + "entity's own class can be kept; declare it there"
        )
    }

    /// Notes another mistake.
    mutating func note(_ problem: String) {
        problems.append("\(entity): \(problem)")
    }

    /// The attributes that only the class declares, in its order; notes the other properties that it wraps
    /// and the entity does not declare.
    mutating func undeclaredAttributes() -> [(position: Int, attribute: AttributeDescription)] {
        probe.declared.sorted { $0.key < $1.key }.compactMap { position, declared in
            if known.contains(position) { return nil }
            if let base = declared.inheritedFrom {
                noteInherited(declared.name, from: base)
                return nil
            }
            if let attribute = declared.attribute {
                return (position, attribute.completed(by: declared, named: declared.name))
            }
            problems.append(
                "\(entity).\(declared.name): the class wraps it, and the entity does not declare it; "
                    + "add it to the properties"
            )
            return nil
        }
    }
}
