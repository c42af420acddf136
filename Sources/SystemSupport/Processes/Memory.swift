internal import CLinux

/// Has this process keep little of the memory that it frees, for a program that idles most of the time.
///
/// It is called before there are threads.
package func keepLittleMemory() { system_keep_little_memory() }

/// Gives the system what is free between what this process uses.
package func returnFreeMemory() { system_return_free_memory() }
