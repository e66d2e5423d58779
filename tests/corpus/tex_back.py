"""What `list` and `models` write for LaTeX, read back: a test's statements, a model's rules.

A listing has every statement of the file, but for blanks and comments. The formulas of a model, as one cat file, are the
model: every check and every name of the contract is the same expression, whatever parentheses stand where.
"""
import hashlib
import re

SIGNS = (('\\mathbin{;}', ';'), ('\\cup', '|'), ('\\cap', '&'), ('\\setminus', '\\'), ('\\times', '*'), ('\\neg', '~'),
         ('^{+}', '+'), ('^{*}', '*'), ('^{?}', '?'), ('^{-1}', '^-1'), ('\\emptyset', '{}'), ('\\mathcal{E}', '_'),
         ('\\mathrm{dom}', 'domain'), ('\\mathrm{rng}', 'range'))
GROUP = r'\{((?:[^{}]|\{[^{}]*\})*)\}'
KINDS = {'reads': 'R', 'writes': 'W', 'read-modify-writes': 'RMW', 'reads and writes': 'M', 'fences': 'F', 'cache maintenance': 'CM',
         'marks of transactions': 'TX', 'execution barriers': 'B', 'persist barriers': 'PB', 'locations': 'LOC', 'work-items': 'THREAD'}
TESTS = {'is acyclic.': 'acyclic', 'has a cycle.': '~acyclic', 'is irreflexive.': 'irreflexive',
         'is not irreflexive.': '~irreflexive', 'is empty.': 'empty', 'is not empty.': '~empty'}
PART = re.compile(r'\\begin\{crashlit(definition|axiom)\}' + GROUP + r'(?:\\label\{[^}]*\})*\n(.*?)\n\\end\{crashlit\1\}'
                  r'|\\noindent\\texttt\{(if[^\n]*|else|end)\}:?\\par|\\noindent Tags of ([^:]*): (.*?)\.\\par', re.S)


def plain(text):
    text = re.sub(r'\{\\ttfamily\\char(\d+)\}', lambda found: chr(int(found[1])), text)
    text = text.replace('\\textasciigrave{}', '`').replace('\\textquotesingle{}', "'").replace('-{}', '-')
    return re.sub(r'\\([ $&#_%{}])', r'\1', text)


# ---- Listings ----

def columns(listing):
    """Of each thread its head and its statements without blanks."""
    threads = []
    for group in listing.split('\\hline\n')[1:-1]:
        rows = [row.split(' & ') for row in group.split('\\\\\n') if row.strip()]
        for number, head in enumerate(rows[0]):
            cells = [re.sub(r'^\\texttt\{(.*)\}$', r'\1', row[number].strip()) for row in rows[1:] if number < len(row)]
            if head.strip():
                threads.append(re.sub(r'\s', '', plain(''.join(cells))))
    return [thread for thread in threads if thread]


def bodies(source):
    """The same of the file: what stands in the braces of each thread."""
    source, found = re.sub(r'//[^\n]*|/\*.*?\*/', '', source, flags=re.S), []
    for head in re.finditer(r'(?m)^(?:P\d+|recovery)\b[^{;\n]*(?:\{[a-z, ]*\}[^{;\n]*)?\{', source):
        at, depth = head.end(), 1
        while depth:
            depth += {'{': 1, '}': -1}.get(source[at], 0)
            at += 1
        found.append(re.sub(r'\s', '', source[head.end():at - 1]))
    return [body for body in found if body]


# ---- Models ----

def formula(text):
    text = re.sub(r'\\crashlit(?:name|set)' + GROUP, lambda found: plain(found[1]), text)
    text = re.sub(r'\\texttt' + GROUP, lambda found: "'" + plain(found[1]), text)
    for sign, written in SIGNS:
        text = text.replace(sign, written)
    return text


def without_footnotes(text):
    while '\\footnote{' in text:
        begin = text.index('\\footnote{')
        at, depth = begin + len('\\footnote{'), 1
        while depth:
            depth += {'{': 1, '}': -1}.get(text[at], 0)
            at += 1 + (text[at] == '\\')
        text = text[:begin] + text[at:]
    return text


def rule(kind, name, said):
    formulas = [formula(found) for found in re.findall(r'\\\((.*?)\\\)', said)]
    if kind == 'axiom':
        before = 'undefined_unless ' if said.startswith('Behaviour') else 'flag ' if said.startswith('It is') else ''
        called = '' if name == 'without a name' else f' as {name}'
        return f'{before}{TESTS[said.rsplit(chr(92) + ")", 1)[1].strip()]} {formulas[0]}{called}'
    if said.startswith('Some member of'):
        return f'with {name} from {formulas[0]}'
    return ('let rec ' if said.startswith('The least with') else 'let ') + ' and '.join(formulas)


def model(text):
    """A cat file, of all sections but what every model begins with; no variant is on."""
    rules, skips = ['back "read back"'], False
    for section in without_footnotes(text).split('\n\\crashlitsection{')[1:]:
        for found in PART.finditer(section if section.split('}')[0] not in ('stdlib', 'contract') else ''):
            if found[4]:
                skips = found[4].startswith('if')
            elif not skips and found[1]:
                rules.append(rule(found[1], plain(found[2]), found[3]))
            elif not skips:
                tags = [formula(tag) for tag in re.findall(r'\\\((.*?)\\\)', found[6])]
                rules.append(f'instructions {KINDS[plain(found[5])]}[{" || ".join(tags)}]')
    return '\n'.join(rules) + '\n'


def meaning(dump):
    """Of --dump-ir the checks and names, each with its expression as a digest. A built-in model is not warned of cycles."""
    values, said = {}, []
    for line in dump.split('\n\n')[0].split('\n'):
        line = re.sub(r'\bn(\d+)\b(?! :)', lambda found: values[found[1]], line)
        node = re.match(r'n(\d+) : (\w+)(?: dynamic)? = (.*?)(?:  \(.*\))?$', line)
        if node:
            values[node[1]] = hashlib.md5((node[2] + node[3]).encode()).hexdigest()
        elif not line.startswith('show') and not line.endswith(' as persist-cycle'):
            said.append(line)
    return said
