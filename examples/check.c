/* check.c: checks the files named on the command line with libcrashlit, and prints a line for
 * each model pair. Built against an installed crashlit:
 *
 *     cc -o check check.c $(pkg-config --cflags --libs crashlit)
 *
 * Leaves with the worst status, as the command does. C99, and C++. */
#include <crashlit.h>

#include <stdio.h>
#include <stdlib.h>

/* The bytes of a file, NULL with errno when it cannot be read. */
static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL, *more;
    size_t room = 1 << 20;
    if (!file)
        return NULL;
    *length = 0;
    while ((more = (char *)realloc(text, room)) != NULL) {
        text = more;
        *length += fread(text + *length, 1, room - *length, file);
        if (*length < room)
            break;
        room *= 2;
    }
    if (!more || ferror(file)) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

static int check_file(struct crashlit *context, const char *path)
{
    size_t length, i;
    char *text = read_file(path, &length);
    struct crashlit_result *result;
    int status;
    if (!text) {
        perror(path);
        return CRASHLIT_INPUT;
    }
    result = crashlit_check(context, path, text, length);
    free(text);
    if (!result) {
        fprintf(stderr, "%s: %s\n", path, crashlit_error(context));
        return CRASHLIT_FAILED;
    }
    fputs(crashlit_result_diagnostics(result), stderr);
    for (i = 0; i < crashlit_result_count(result); i++)
        if (*crashlit_result_test(result, i)) /* the test could be read */
            printf("%s: %s under %s + %s: %s, expected %s\n", path, crashlit_result_test(result, i),
                   crashlit_result_model(result, i), crashlit_result_persistency(result, i),
                   crashlit_result_verdict(result, i), crashlit_result_expected(result, i));
    status = (int)crashlit_result_status(result);
    crashlit_result_free(result);
    return status;
}

int main(int argc, char **argv)
{
    struct crashlit *context;
    int worst = CRASHLIT_OK, i;
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE.litmus ...\n", argv[0]);
        return CRASHLIT_INPUT;
    }
    context = crashlit_new();
    if (!context || crashlit_set(context, "timeout", "60") != CRASHLIT_OK)
        return CRASHLIT_FAILED;
    for (i = 1; i < argc; i++) {
        int status = check_file(context, argv[i]);
        worst = status > worst ? status : worst;
    }
    crashlit_free(context);
    return worst;
}
