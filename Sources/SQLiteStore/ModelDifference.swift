internal import ObjectStore

/// The changes that make the tables of a store fit a model, and the obstacles to them.
///
/// Only changes that lose no data are derived. A property that the model does not have may belong
/// to a newer version of the program, so it is never removed without a migration step.
struct ModelDifference {
    private(set) var addedEntities: [StoredModel.Entity] = []
    private(set) var addedColumns: [(entity: String, column: StoredModel.Column)] = []
    private(set) var removedIndices: [String] = []
    private(set) var addedIndices: [(entity: String, index: StoredModel.Index)] = []
    /// The columns in which every row must now have a value.
    private(set) var requiredColumns: [(entity: String, column: String)] = []
    /// The changes that cannot be derived, each as a sentence.
    private(set) var problems: [String] = []

    /// Compares the stored tables with those of a model.
    init(from stored: StoredModel, to wanted: StoredModel) {
        for entity in wanted.entities {
            if let present = stored.entities.first(where: { $0.name == entity.name }) {
                compare(present, entity)
            } else {
                addedEntities.append(entity)
                addedIndices += entity.indices.map { (entity.name, $0) }
            }
        }
        for entity in stored.entities
        where !wanted.entities.contains(where: { $0.name == entity.name }) {
            problems.append("the model does not have the entity \(entity.name)")
        }
    }

    /// Whether rows cannot be read and written without changes to the tables.
    var isNeeded: Bool {
        !addedEntities.isEmpty || !addedColumns.isEmpty || !problems.isEmpty
    }

    /// The changes and obstacles, for the user.
    var description: String {
        let added =
            addedEntities.map { "the store does not have the entity \($0.name)" }
            + addedColumns.map { "the store does not have \($0.entity).\($0.column.name)" }
        return (problems + added).joined(separator: "; ")
    }

    private mutating func compare(_ stored: StoredModel.Entity, _ wanted: StoredModel.Entity) {
        for column in wanted.columns {
            let place = "\(wanted.name).\(column.name)"
            let present = stored.columns.first { $0.name == column.name }
            if let present {
                if present.type != column.type {
                    problems.append("\(place) is \(present.type), and \(column.type) in the model")
                } else if present.target != column.target {
                    problems.append(
                        "\(place) leads to \(present.target ?? "nothing"), and to "
                            + "\(column.target ?? "nothing") in the model"
                    )
                }
            } else {
                addedColumns.append((wanted.name, column))
            }
            if column.isRequired == true && present?.isRequired != true {
                requiredColumns.append((wanted.name, column.name))
            }
        }
        for column in stored.columns
        where !wanted.columns.contains(where: { $0.name == column.name }) {
            problems.append("the model does not have \(stored.name).\(column.name)")
        }
        removedIndices += stored.indices.filter { !wanted.indices.contains($0) }.map(\.name)
        addedIndices += wanted.indices.filter { !stored.indices.contains($0) }
            .map { (wanted.name, $0) }
    }
}
