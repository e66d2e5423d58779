/* Gives the files named on the command line to a fuzz target, so that saved inputs
 * are run where libFuzzer is not. Prints each name before its run; ends with 0. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size;
    if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
        perror(path);
        return 1;
    }
    rewind(file);
    /* Exactly the bytes, so that a sanitizer sees the first one read beyond. */
    uint8_t *bytes = malloc(size ? (size_t)size : 1);
    size_t got = bytes ? fread(bytes, 1, (size_t)size, file) : 0;
    fclose(file);
    puts(path);
    fflush(stdout);
    int status = got == (size_t)size ? LLVMFuzzerTestOneInput(bytes, got) : 1;
    free(bytes);
    return status;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (run_file(argv[i]) != 0)
            return 1;
    return 0;
}
