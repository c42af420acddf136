#ifndef C_FAULT_INJECTION_H
#define C_FAULT_INJECTION_H

// Makes calls of the system fail on purpose, for the one program that is linked with this library:
// its own `fsync`, `write` and the like stand before those of the C library, also for the libraries
// that it uses.
//
// A program that is not linked with it has it loaded by `LD_PRELOAD`, and is told by the variable
// `FAULT_INJECTION` what fails: the call, the first number and the error as numbers, and the name, as
// in `9 17 -1 .sqlite`. If it comes to its end, it says as its last error `swept`, with the number of
// calls that were counted.
//
// Only calls that concern a file whose name contains a given text are counted, so that the output
// of the program is left alone.

/// A group of calls that is counted, and of which one or more fail.
enum FaultInjectionCall {
    FaultInjectionNone = 0,
    FaultInjectionSync = 1,
    FaultInjectionWrite = 2,
    FaultInjectionTruncate = 3,
    FaultInjectionUnlink = 4,
    FaultInjectionOpen = 5,
    FaultInjectionRead = 6,
    FaultInjectionRename = 7,
    /// All of the above.
    FaultInjectionAny = 8,
    /// Those that change files: all but to open and to read.
    FaultInjectionChange = 9,
};

/// In place of an error: the process is killed before the call, as by a loss of power.
#define FAULT_INJECTION_KILL (-1)

/// Counts from now on the calls of a group that concern a file whose path contains `name`, which
/// must last, and lets those from number `first` (from 1) on, `count` of them, fail with `error`.
void fault_injection_start(
    enum FaultInjectionCall call, const char *name, int first, int count, int error);

/// Lets every call through again, and gives the number of calls that were counted.
int fault_injection_stop(void);

#endif
