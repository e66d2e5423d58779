"""The grammars of tests and models in EBNF, of grammar/*.y, for editors/grammars.py, which writes docs/models/grammar.md.

bison tells the rules as XML. Here repetitions and options become signs, and what serves the parser alone goes: rules
that only recover from errors, rules without a text of their own, and mid-rule actions.
"""
import os
import re
import subprocess
import tempfile
import xml.etree.ElementTree as xml

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
PARTS = (('Tests and definition files', 'grammar/litmus.y'), ('Models', 'grammar/cat.y'))
# What the scanner hands over in front of a text, to say of what kind it is.
KINDS = {'CODE_TEST', 'TABLE_TEST', 'LAUNCH_TEST', 'PROPERTY', 'DEFINITIONS'}
# Words whose name does not say how they are written.
WRITTEN = {'tags in braces': '{', "'}' behind the tags": '}', 'a crash point': 'crash'}
HEAD = '''# Grammar

The grammars of tests, definition files and models in EBNF. `make grammars` makes the page of `grammar/litmus.y` and `grammar/cat.y`, of which the
program is made, too. What all this means is in [language.md](../using/language.md) and [cat.md](cat.md). What a rule allows may still be
refused for what it means, with a message. Operators bind as in C in tests, and as in herd in models ([cat.md](cat.md)). The scanner reads the line with dialect and name
that a test begins with. A definition file is `macros`, and what `--property recovers-to` takes is a `prop`.

`[a]` is a or nothing, `{a}` is a any number of times, or never, `a | b` is one of them. What stands in quotes is written so. Words in capitals are these:

| word | |
|---|---|
| `NAME` `STRING` `INTEGER` | a name, a text in quotes, a number of C; in the first line of a test all that stands on it |
| `THREAD` | `P0`, `P1` and so on |
| `TYPE` | `int`, `atomic_int`, `uint64_t`, `global`, `nvm` and other words of a declaration, as the dialect has them |
| `INSTRUCTION` | a word of a table, such as `st.release.gpu` |
| `PRAGMA` | a line that begins with `#pragma` |
| `END-OF-THE-LINE` | of `expect`, `refines` and `models`, which end there |
| `TAG` | a name behind a quote: `'acquire` |
| `CHECK` `NEGATED-CHECK` | `acyclic`, `irreflexive`, `empty`; the same behind `~` |
'''


def rules_of(path):
    """Each nonterminal with its alternatives, lists of symbols, in the order of the file."""
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, 'parser.xml')
        subprocess.run(['bison', '-x' + made, '-o', os.path.join(folder, 'parser.c'),
                        os.path.join(TOP, path)], check=True,
                       stderr=subprocess.DEVNULL)
        tree = xml.parse(made)
    rules = {}
    for rule in tree.iter('rule'):
        left = rule.find('lhs').text
        right = [symbol.text for symbol in rule.find('rhs').iter('symbol')]
        if left.startswith('$accept'):
            continue
        rules.setdefault(left, [])
        if 'error' not in right and right not in rules[left]:
            rules[left].append(right)
    return rules


def without_empty_rules(rules):
    """Mid-rule actions and rules that are empty alone have no text; they go where they stand."""
    empty = {left for left, rights in rules.items() if rights == [[]] or not rights}
    gone = empty | KINDS
    less = {left: drop_twice([[symbol for symbol in right if symbol not in gone] for right in rights])
            for left, rights in rules.items() if left not in empty}
    return without_empty_rules(less) if empty else less


def drop_twice(rights):
    return [right for i, right in enumerate(rights) if right not in rights[:i]]


def terminal(symbol):
    """A word as it is written, or the name of a sort of words in capitals."""
    if symbol.startswith("'") and symbol.endswith("'"):
        return '"' + symbol[1:-1].replace('\\\\', '\\') + '"'
    if not symbol.startswith('"'):
        return symbol
    text = symbol[1:-1].replace('\\\\', '\\')
    if text in WRITTEN:
        return f'"{WRITTEN[text]}"'
    if re.fullmatch(r"(?:the|an?) [a-z ]+", text) or ' ' in text.strip():
        return re.sub(r'[^A-Za-z]+', '-', re.sub(r'^(?:the|an?) ', '', text)).strip('-').upper()
    return f'"{text}"'


def words(symbols):
    return ' '.join(terminal(symbol) for symbol in symbols)


def repeated(left, rights):
    """Of a list that begins with itself, or ends so: its first ways, and what follows each time. None: it is no list."""
    ahead = [right[1:] for right in rights if right[:1] == [left]]
    behind = [right[:-1] for right in rights if right[-1:] == [left] and len(right) > 1]
    bases = [right for right in rights if left not in right]
    if ahead and len(ahead) + len(bases) == len(rights) and not any(left in part for part in ahead):
        return bases, ahead, False
    if behind and len(behind) + len(bases) == len(rights) and not any(left in part for part in behind):
        return bases, behind, True
    return None


def either(parts, inner):
    text = ' | '.join(words(part) for part in parts if part)
    return f'({text})' if inner and len([part for part in parts if part]) > 1 else text


def body(left, rights):
    found = repeated(left, rights)
    if not found:
        text = either(rights, False)
        return f'[{text}]' if [] in rights else text
    bases, more, before = found
    again = '{' + either(more, False) + '}'
    base = either(bases, True)
    if not any(bases):
        return again
    if [] in bases:
        base = f'[{base}]'
    return f'{again} {base}' if before else f'{base} {again}'


def lines(left, text):
    """`left = text ;` in lines of 110 columns, broken in front of a bar or a word."""
    out, line = [], f'{left} ='
    parts = re.split(r' (?=\| )', text) if len(text) + len(left) > 105 else [text]
    for part in parts:
        for word in part.split(' '):
            if len(line) + len(word) > 108 or (word == '|' and len(parts) > 1 and line.strip()):
                out.append(line)
                line = '   '
            line += ' ' + word
    return out + [line + ' ;']


def section(title, path):
    rules = without_empty_rules(rules_of(path))
    text = []
    for left, rights in rules.items():
        text += lines(left, body(left, rights))
    return f'\n## {title}\n\n```ebnf\n' + '\n'.join(text) + '\n```\n'


def page():
    return HEAD + ''.join(section(*part) for part in PARTS)
