// Reads a folder name by name.

#include "folders.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

int folder_watch_next_name(DIR *folder, const char **name, size_t *count) {
    errno = 0;
    const struct dirent *entry = readdir(folder);
    if (entry == NULL) return -errno;
    *name = entry->d_name;
    *count = strlen(entry->d_name);
    return 1;
}
