// Models in cat, as far as an editor needs them: definitions with their names, checks, includes, what brackets hold.
// What a model means is for crashlit.
module.exports = grammar({
  name: 'crashlit_cat',

  extras: $ => [/[\s\ufeff]/, $.comment],

  word: $ => $.identifier,

  rules: {
    model: $ => seq(optional(seq(optional($.name), $.title)), repeat($._item)),
    name: $ => prec(1, $.identifier),
    title: $ => prec(1, $.string),

    _item: $ => choice($.definition, $.check, $.include, $._part),
    definition: $ => seq($.let, optional('rec'), field('name', $._pattern)),
    let: _ => choice('let', 'and', 'procedure'),
    _pattern: $ => choice($.identifier, $.parenthesized),
    check: _ => choice('acyclic', 'irreflexive', 'empty', 'flag', 'undefined_unless', 'assert'),
    include: $ => seq('include', $.string),

    _part: $ => choice($.identifier, $.keyword, $.tag, $.string, $.number, $.operator, $.set, $.parenthesized, $.bracketed),
    keyword: _ => choice('in', 'fun', 'as', 'show', 'unshow', 'match', 'with', 'from', 'if', 'else', 'call',
      'forall', 'try', 'enum', 'instructions', 'default', 'subset', 'variant', 'debug', 'catdep', 'when', 'not', 'begin', 'end', 'do', 'then'),
    set: $ => seq('{', repeat($._item), '}'),
    parenthesized: $ => seq('(', repeat($._item), ')'),
    bracketed: $ => seq('[', repeat($._item), ']'),

    identifier: _ => /_?[A-Za-z][A-Za-z0-9_.-]*'?/,
    tag: _ => /'_?[A-Za-z][A-Za-z0-9_.-]*'?/,
    number: _ => /[0-9]+/,
    string: _ => token(seq('"', /[^"]*/, '"')),
    operator: _ => choice('||', '&&', '++', '->', '^-1', '-1', /[|&;\\*+?~=,_^]/),

    comment: _ => token(choice(
      seq(choice('//', '#'), /[^\n]*/),
      seq('/*', /[^*]*\*+([^/*][^*]*\*+)*/, '/'),
      seq('(*', /[^*]*\*+([^)*][^*]*\*+)*/, ')'),
    )),
  },
});
