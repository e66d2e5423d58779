#include "smt/smt_library_file.h"

#include "base/arena.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_at(int file, void *bytes, size_t size, size_t offset)
{
    return pread(file, bytes, size, (off_t)offset) == (ssize_t)size;
}

/* Is all there that its head says is to be mapped? What is no library of this machine has another
 * head, and the loader passes it over or tells it. */
static bool has_all(int file, size_t size)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    bool own = read_at(file, &head, sizeof head, 0) && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
               head.e_phentsize == sizeof part;
    for (size_t i = 0; own && i < head.e_phnum; i++) {
        if (!read_at(file, &part, sizeof part, head.e_phoff + i * sizeof part))
            return false;
        if (part.p_type == PT_LOAD &&
            (part.p_filesz > size || part.p_offset > size - part.p_filesz))
            return false;
    }
    return true;
}

/* False: it is there, and cannot be loaded. *found: it is there. */
static bool check_file(const char *path, bool *found, char *fault, size_t size)
{
    struct stat about;
    *found = stat(path, &about) == 0;
    if (!*found)
        return true;
    if (!S_ISREG(about.st_mode)) {
        snprintf(fault, size, "%s is no regular file", path);
        return false;
    }
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool whole = file < 0 || has_all(file, (size_t)about.st_size);
    if (file >= 0)
        close(file);
    if (!whole)
        snprintf(fault, size, "%s is cut off", path);
    return whole;
}

/* The loader has looked at the environment once, when the process began, and that is what Linux
 * shows. The variable with its name, to be freed by base_free_foreign; NULL without one. */
static char *variable_of_loader(const char *name)
{
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen("/proc/self/environ", "re");
    bool found = false;
    while (file && !found && getdelim(&text, &room, '\0', file) > 0)
        found = strncmp(text, name, strlen(name)) == 0;
    if (file)
        fclose(file);
    if (found)
        return text;
    base_free_foreign(text);
    return NULL;
}

bool smt_library_is_whole(const char *name, char *fault, size_t size)
{
    static const char name_of_folders[] = "LD_LIBRARY_PATH=";
    char *folders = variable_of_loader(name_of_folders);
    const char *at = folders ? folders + strlen(name_of_folders) : NULL;
    bool whole = true, found = false;
    while (at && *at && whole && !found) {
        char path[PATH_MAX];
        size_t length = strcspn(at, ":;");
        int needed =
            snprintf(path, sizeof path, "%.*s%s%s", (int)length, at, length ? "/" : "", name);
        if (needed > 0 && (size_t)needed < sizeof path)
            whole = check_file(path, &found, fault, size);
        at += length + (at[length] != '\0');
    }
    base_free_foreign(folders);
    return whole;
}
