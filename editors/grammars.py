"""grammars.py [--check]: what of the grammars for editors is made of the one list of words, src/lsp/lsp_words.def:
the TextMate grammars, the queries of the tree-sitter grammars, the words of the playground's page, and the index of
words; and the page of the grammars, which ebnf.py makes. With --check
nothing is written, and what is there is held to what would be. Last line then: N passed, N failed."""
import json
import os
import re
import subprocess
import sys

import ebnf

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')


def read(path):
    with open(os.path.join(TOP, path), encoding='utf-8') as file:
        return file.read()


def ask_tables():
    """What the program's tables say, as tests/editors/tables.c prints it."""
    program = os.environ.get('TABLES', '')
    if not os.path.isfile(os.path.join(TOP, program)): # without `make grammars`: built in little time
        program = 'build/release/tests/editors/tables'
        subprocess.run(['make', '-s', 'MODE=release', program], cwd=TOP, check=True, stdout=subprocess.DEVNULL)
    return json.loads(subprocess.run([os.path.join(TOP, program)], check=True, stdout=subprocess.PIPE).stdout)


TABLES = ask_tables()
# (language, class, word, meaning), in the order of the table.
ROWS = [(language.lower(), kind, word, meaning) for language, kind, word, meaning in TABLES['rows']]
MEANINGS = {'SET': 'A set of events.', 'RELATION': 'A base relation.', 'RESERVED': 'What a persistency model defines.',
            'PRIMITIVE': 'A function that is not written in cat.'}


def tables():
    """Names of models that the program's own tables have, as rows: sets, relations, what the contract reads, functions."""
    return [('cat', kind, name, MEANINGS[kind]) for kind, names in TABLES['models'] for name in names if name != '_']


def base_names():
    return [name for _, kind, name, _ in tables() if kind in ('SET', 'RELATION')]


def words(language, *classes):
    return sorted({w for l, c, w, _ in ROWS if l == language and c in classes})


def one_of(names):
    return '|'.join(re.escape(n).replace(r'\-', '-') for n in sorted(names, key=lambda n: (-len(n), n)))


# ---- TextMate ----

def word(names, edge=r'[\w$]'):
    return '(?<!%s)(?:%s)(?!%s)' % (edge, one_of(names), edge)


def rule(name, match, captures=None):
    made = {'name': name, 'match': match} if name else {'match': match}
    if captures:
        made['captures'] = {str(k): {'name': v} for k, v in captures.items()}
    return made


def nested(begin):
    return {'name': 'comment.block', 'begin': begin, 'end': r'\*\)', 'patterns': [{'include': '#nested'}]}


PLAIN_COMMENT = {'name': 'comment.block', 'begin': r'/\*', 'end': r'\*/'}
STRING = {'name': 'string.quoted.double', 'begin': '"', 'end': '"'}


def litmus():
    methods = one_of(words('litmus', 'METHOD'))
    patterns = [
        rule('comment.line.double-slash', r'//.*$'), PLAIN_COMMENT, nested(r'\(\*(?=[\s*])'), STRING,
        rule('meta.preprocessor.pragma', r'#[ \t]*pragma.*$'),
        rule(None, r'^\s*(%s)[ \t]+(.*)$' % one_of(words('litmus', 'DIALECT')),
             {1: 'keyword.other.dialect', 2: 'entity.name.section'}),
        rule(None, r'^([A-Z]\w*)(=)(.*)$', {1: 'variable.other.metadata', 2: 'keyword.operator', 3: 'string.unquoted'}),
        rule(None, r'(?<!\w)(P\d+)(?!\w)', {1: 'entity.name.function.work-item'}),
        rule(None, r'(__\w+)(\{)([^}]*)(\})', {1: 'support.function.primitive', 3: 'entity.other.attribute-name.tag'}),
        rule(None, r'(?<![\w.])(%s)((?:\.[\w?]+)+)' % one_of(words('litmus', 'PTX', 'BARRIER')),
             {1: 'support.function.instruction', 2: 'storage.modifier.qualifier'}),
        rule(None, r'\.(%s)(?=\s*\()' % methods, {1: 'support.function.method'}),
        rule('support.function.atomic', r'(?<!\w)atomic_(?:%s)(?:_explicit)?(?!\w)' % methods),
        rule('support.function', word(words('litmus', 'FUNCTION', 'PRIMITIVE'))),
        rule('support.function.barrier', word(words('litmus', 'BARRIER'))),
        rule('constant.language.scope', word(words('litmus', 'SCOPE'))),
        rule('constant.language.order', word(words('litmus', 'ORDER'))),
        rule('constant.language.flag', word(words('litmus', 'FLAG'))),
        rule('constant.language.verdict', r'(?<=:)\s*%s' % word(words('litmus', 'VERDICT'))),
        rule('storage.type', word(words('litmus', 'TYPE'))),
        rule('keyword.control', word(words('litmus', 'KEYWORD'))),
        rule('support.function.instruction', r'(?<![\w.])(?:%s)(?=\s+[\w%%$])' % one_of(words('litmus', 'PTX'))),
        rule('variable.parameter.hole', r'\?(?:\w+|(?=\{))'),
        rule('constant.numeric', r'(?<!\w)(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*(?!\w)'),
        rule('keyword.operator', r'/\\|\\/|=>|->|[-+*/<>=!&|^~%?]+'),
    ]
    return {'name': 'crashlit litmus test', 'scopeName': 'source.crashlit-litmus', 'fileTypes': ['litmus'],
            'patterns': patterns, 'repository': {'nested': nested(r'\(\*')}}


def cat():
    edge = r"[\w.\-']"
    patterns = [
        rule('comment.line', r'(?://|#).*$'), PLAIN_COMMENT, nested(r'\(\*'), STRING,
        rule(None, r'(?<!%s)(let|procedure)(?:\s+(rec))?\s+([A-Za-z_][\w.\-]*\'?)' % edge,
             {1: 'keyword.control', 2: 'keyword.control', 3: 'entity.name.function'}),
        rule('entity.other.attribute-name.tag', r"(?<!%s)'[A-Za-z_][\w.\-]*" % edge),
        rule('keyword.other.check', word(words('cat', 'CHECK'), edge)),
        rule('keyword.control', word(words('cat', 'KEYWORD'), edge)),
        rule('support.variable.base', word(base_names(), edge)),
        rule('variable.other', r"(?<!%s)[A-Za-z_][\w.\-]*'?" % edge),
        rule('constant.numeric', r'(?<!\w)\d+(?!\w)'),
        rule('keyword.operator', r'\^-1|\|\||&&|\+\+|->|[|&;\\*+?~=\-^]'),
    ]
    return {'name': 'crashlit cat model', 'scopeName': 'source.crashlit-cat', 'fileTypes': ['cat', 'bell'],
            'patterns': patterns, 'repository': {'nested': nested(r'\(\*')}}


def definitions():
    patterns = [rule(None, r'^([A-Za-z_]\w*)(?=\s*[({])', {1: 'entity.name.function'}), {'include': 'source.crashlit-litmus'}]
    return {'name': 'crashlit definition file', 'scopeName': 'source.crashlit-def', 'fileTypes': ['def'], 'patterns': patterns}


def machine():
    edge = r'[\w\-]'
    patterns = [
        rule('comment.line.number-sign', '#.*$'),
        rule('entity.other.attribute-name.tag', r"'[\w\-]+"),
        rule(None, r'^\s*(stage|variable)\s+([\w\-]+)', {1: 'keyword.control', 2: 'entity.name.type'}),
        rule('keyword.control', word(words('machine', 'KEYWORD'), edge)),
        rule('support.function.operation', word(words('machine', 'FUNCTION'), edge)),
        rule('constant.language', word(words('machine', 'TYPE', 'ORDER', 'SCOPE'), edge)),
        rule('constant.numeric', r'(?<!%s)\d+(?!%s)' % (edge, edge)),
        rule('keyword.operator', '[=|:;+,]'),
    ]
    return {'name': 'crashlit machine', 'scopeName': 'source.crashlit-machine', 'fileTypes': ['machine'], 'patterns': patterns}


def mapping():
    edge = r'[\w\-]'
    patterns = [
        rule('comment.line.double-slash', '//.*$'), PLAIN_COMMENT, STRING,
        rule(None, r'(?<!%s)(pragma)\s+([^{]*?)(?=\s*(?:\{|(?<!%s)scope(?!%s)|$))' % (edge, edge, edge), {1: 'keyword.control', 2: 'entity.name.section'}),
        rule('keyword.control', word(words('map', 'KEYWORD'), edge)),
        rule('support.function.instruction', r'(?<!%s)[A-Za-z_]\w*(?=\s*\()' % edge),
        rule('constant.numeric', r'(?<!%s)\d+(?!%s)' % (edge, edge)),
        rule('keyword.operator', '[:;+,]'),
    ]
    return {'name': 'crashlit mapping', 'scopeName': 'source.crashlit-map', 'fileTypes': ['map'], 'patterns': patterns}


def as_json(data):
    return json.dumps(data, indent=2, ensure_ascii=False) + '\n'


# ---- tree-sitter ----

def any_of(capture, names, node='identifier'):
    return '((%s) @%s\n  (#any-of? @%s\n    %s))\n' % (node, capture, capture, '\n    '.join('"%s"' % n for n in names))


MADE = '; made by editors/grammars.py of src/lsp/lsp_words.def\n'


def litmus_queries():
    methods = one_of(words('litmus', 'METHOD'))
    plain = '''(comment) @comment
(string) @string
(number) @number
(header (dialect) @keyword (name) @title)
(metadata) @preproc
(pragma) @preproc
(hole) @variable.parameter
(thread) @function
(special) @function.builtin
(tag) @attribute
(instruction) @function.builtin
(register) @variable
(operator) @operator
(definition ["const" "enum" "struct"] @keyword)
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
[";" "," ":" "."] @punctuation.delimiter
'''
    queries = [any_of('type', words('litmus', 'TYPE')), any_of('keyword', words('litmus', 'KEYWORD')),
               any_of('constant.builtin', words('litmus', 'SCOPE', 'ORDER', 'FLAG', 'VERDICT')),
               any_of('function.builtin', words('litmus', 'FUNCTION', 'BARRIER', 'PTX')),
               '((identifier) @function.builtin\n  (#match? @function.builtin "^atomic_(%s)(_explicit)?$"))\n' % methods,
               '((method) @function.method\n  (#match? @function.method "^[.](%s)$"))\n' % methods]
    return MADE + plain + '\n' + '\n'.join(queries)


def cat_queries():
    plain = '''(comment) @comment
(string) @string
(title) @title
(number) @number
(tag) @attribute
(operator) @operator
(check) @keyword
(keyword) @keyword
(let) @keyword
(definition "rec" @keyword)
(definition name: (identifier) @function)
(include "include" @keyword)
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
'''
    return MADE + plain + '\n' + any_of('variable.builtin', sorted(set(base_names()) - {'_'}))


# ---- The playground's page ----

def page():
    lines = ['// made by editors/grammars.py of src/lsp/lsp_words.def', 'export const rows = [']
    lines += ['  %s,' % json.dumps(list(row), ensure_ascii=False) for row in ROWS + tables() if row[0] in ('litmus', 'cat')]
    return '\n'.join(lines + ['];']) + '\n'


# ---- The index ----

INDEX = (('litmus', 'Tests', 'docs/using/language.md'), ('cat', 'Models', 'docs/models/cat.md'),
         ('machine', 'Machines', 'docs/models/machines.md'), ('map', 'Mappings', 'docs/models/mappings.md'))
INDEX_HEAD = '''# Words

All words of tests, models, machines and mappings, and what each is. The link leads to where a page first has the word. Messages are in [messages.md](../using/messages.md),
how words go together in [grammar.md](grammar.md). `make grammars` makes the page of the list that editors complete words by.
'''


def anchor(title):
    """As the name of a heading in a link: small letters, and dashes for blanks."""
    return re.sub(r'[^a-z0-9 _-]', '', title.lower()).replace(' ', '-')


def place_of(name, pages):
    """Page and heading where a page first has the word in quotes, best in the first column of a table."""
    quoted = re.escape(name)
    for form in (r'^\|[^|]*`[^`|]*(?<![\w-])%s(?![\w-])', r'`[^`]*(?<![\w-])%s(?![\w-])[^`]*`'):
        for page in pages:
            text = read(page)
            found = re.search(form % quoted, text, re.M)
            if found:
                heads = re.findall(r'^#{2,3} (.*)$', text[:found.start()], re.M)
                return page, heads[-1] if heads else ''
    return pages[0], ''


def index():
    out = INDEX_HEAD
    for language, title, page in INDEX:
        out += '\n## %s\n\n| word | what it is | where |\n|---|---|---|\n' % title
        rows = {(name, meaning) for l, _, name, meaning in ROWS + tables() if l == language}
        for name, meaning in sorted(rows, key=lambda row: (row[0].lower(), row)):
            found, head = place_of(name, [page])
            link = os.path.relpath(found, 'docs/models') + ('#' + anchor(head) if head else '')
            out += '| `%s` | %s | [%s](%s) |\n' % (name.replace('|', '\\|'), meaning.replace('|', '\\|'),
                                                re.sub(r'[`|]', '', head) or os.path.basename(found), link)
    return out


FILES = {
    'editors/textmate/litmus.tmLanguage.json': lambda: as_json(litmus()),
    'editors/textmate/cat.tmLanguage.json': lambda: as_json(cat()),
    'editors/textmate/def.tmLanguage.json': lambda: as_json(definitions()),
    'editors/textmate/machine.tmLanguage.json': lambda: as_json(machine()),
    'editors/textmate/map.tmLanguage.json': lambda: as_json(mapping()),
    'editors/tree-sitter-crashlit-litmus/queries/highlights.scm': litmus_queries,
    'editors/tree-sitter-crashlit-cat/queries/highlights.scm': cat_queries,
    'web/page/word_rows.js': page,
    'docs/models/grammar.md': ebnf.page,
    'docs/models/words.md': index,
}


# ---- The words themselves, held to what decides what a word means ----

# Words that are known by where they stand, and in whose file.
BY_PLACE = {'and': 'grammar/litmus.l', 'or': 'grammar/litmus.l', 'init': 'grammar/litmus.l'}
BY_PLACE.update((name, 'src/litmus/lit_program.h') for name in ('race', 'divergence', 'bounds', 'assert', 'ends', 'robust'))


def check_words(holds):
    for language, known in TABLES['known'].items():
        mine, known = {w for l, c, w, _ in ROWS if l == language}, set(known)
        holds(len(known) > 15, '%s: words of scanner and tables are found' % language, len(known))
        for name in sorted(known):
            holds(name in mine, '%s: %s has a row in lsp_words.def' % (language, name))
        for name in sorted(mine - known):
            right = name in BY_PLACE and '"%s"' % name in read(BY_PLACE[name])
            holds(right, '%s: %s is a word that some scanner or table has' % (language, name))


def main():
    if sys.argv[1:] != ['--check']:
        for path, make in FILES.items():
            with open(os.path.join(TOP, path), 'w', encoding='utf-8') as file:
                file.write(make())
        return
    counts = [0, 0]

    def holds(right, what, seen=''):
        counts[not right] += 1
        if not right:
            print('failed: %s %s' % (what, seen))

    for path, make in FILES.items():
        holds(os.path.exists(os.path.join(TOP, path)) and read(path) == make(),
              '%s is what editors/grammars.py makes of the words: run it' % path)
    check_words(holds)
    print('%d passed, %d failed' % tuple(counts))
    sys.exit(counts[1] > 0)


main()
