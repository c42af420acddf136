/// The version of the programs, which are released together.
package let programVersion = "0.1.0"
