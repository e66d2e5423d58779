# Random choices, the same for the same `seed` everywhere; loaded before the file that uses them.

function draw(n) # 0 .. n - 1
{
    state = state * 16807 % 2147483647
    return int(state / 2147483647 * n)
}

function pick(list,    words, count)
{
    count = split(list, words, " ")
    return words[1 + draw(count)]
}

# Choices that leave those of draw() alone.
function other(n)
{
    others = others * 48271 % 2147483647
    return int(others / 2147483647 * n)
}

function other_pick(list,    words, count)
{
    count = split(list, words, " ")
    return words[1 + other(count)]
}

function start_drawing(seed,    i)
{
    others = (6007 * seed + 15485863) % 2147483647
    state = (7919 * seed + 104729) % 2147483647
    for (i = 0; i < 10; i++)
        draw(2) + other(2)
}
