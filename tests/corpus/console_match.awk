# console_match.awk EXPECTED ACTUAL: whether the actual lines are the expected ones,
# where an expected line `...` stands for any lines, ... inside a line for any text.
function line_matches(pattern, text,    count, i, at, pieces) {
    count = split(pattern, pieces, /\.\.\./)
    if (count <= 1) return pattern == text
    if (substr(text, 1, length(pieces[1])) != pieces[1]) return 0
    text = substr(text, length(pieces[1]) + 1)
    for (i = 2; i < count; i++) {
        if ((at = index(text, pieces[i])) == 0) return 0
        text = substr(text, at + length(pieces[i]))
    }
    at = length(text) - length(pieces[count])
    return at >= 0 && substr(text, at + 1) == pieces[count]
}
{ sub(/[ \t\r]+$/, "") }
FNR == NR { expected[++rows] = $0; next }
{ actual[++columns] = $0 }
# fits[i, j]: the first i expected lines cover the first j actual ones.
END {
    for (i = 0; i <= rows; i++)
        for (j = 0; j <= columns; j++) {
            if (i == 0) fits[i, j] = j == 0
            else if (expected[i] == "...") fits[i, j] = fits[i - 1, j] || (j > 0 && fits[i, j - 1])
            else fits[i, j] = j > 0 && fits[i - 1, j - 1] && line_matches(expected[i], actual[j])
        }
    exit !fits[rows, columns]
}
