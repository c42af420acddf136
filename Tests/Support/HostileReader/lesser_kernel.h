// This kernel, made to lack what older ones lack.

#ifndef HOSTILE_READER_LESSER_KERNEL_H
#define HOSTILE_READER_LESSER_KERNEL_H

// From here on this process and those it becomes find no `feature`: "landlock", "landlock-at-boot"
// (built, but switched off at the start) or "filter". Returns 0, or the errno.
int lesser_kernel_without(const char *feature);

#endif
