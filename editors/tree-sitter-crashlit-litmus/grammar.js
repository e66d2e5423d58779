// Tests of all dialects, as far as an editor needs them: what a line at the start says, what brackets hold, and
// which words, numbers and strings there are. What a word means is for queries and for crashlit itself.
module.exports = grammar({
  name: 'crashlit_litmus',

  extras: $ => [/[\s\ufeff]/, $.comment],

  word: $ => $.identifier,

  rules: {
    test: $ => seq(
      optional($.header),
      repeat(choice($.metadata, $.definition, $._item)),
      optional(seq($.initial, repeat($._item_or_block))),
    ),

    header: $ => seq(field('dialect', $.dialect), field('name', $.name)),
    dialect: _ => token(prec(2, choice('OPENCL', 'C', 'PTX'))),
    name: _ => token.immediate(/[ \t]+[^\n]*/),
    metadata: _ => token(prec(1, /[A-Z][A-Za-z0-9_]*=[^\n]*/)),
    definition: $ => seq(choice('const', 'enum', 'struct'), repeat(choice($._part, $.block)), ';'),

    initial: $ => seq('{', repeat($._item_or_block), '}'),
    block: $ => seq('{', repeat($._item_or_block), '}'),
    _item_or_block: $ => choice($._item, $.block),
    _item: $ => choice($._part, ';'),
    _part: $ => choice(
      $.string, $.number, $.pragma, $.hole, $.instruction, $.method, $.primitive, $.identifier, $.register,
      $.operator, $.parenthesized, $.bracketed, $.work_item,
      ',', ':', '.', '@', '#', '\\',
    ),
    primitive: $ => seq($.special, optional($.tags)),
    special: _ => /__[a-z][a-z_]*/,
    tags: $ => seq(token.immediate('{'), repeat(choice($.tag, ',')), '}'),
    tag: _ => /[A-Za-z_][A-Za-z0-9_-]*/,
    method: $ => seq(token.immediate(/\.[a-z_]+/)),
    instruction: _ => /[a-z]+(\.[a-z0-9_?]+)+/,
    parenthesized: $ => seq('(', repeat($._item_or_block), ')'),
    bracketed: $ => seq('[', repeat($._item_or_block), ']'),

    work_item: $ => seq($.thread, optional($.tags)),
    thread: _ => token(prec(1, /P[0-9]+/)),
    identifier: _ => /[A-Za-z_$][A-Za-z0-9_$]*/,
    register: _ => /%[A-Za-z0-9_]+/,
    number: _ => /[0-9][A-Za-z0-9]*/,
    string: _ => token(seq('"', /[^"\n]*/, '"')),
    pragma: _ => token(prec(1, /#[ \t]*pragma[^\n]*/)),
    hole: _ => token(prec(1, /\?[A-Za-z_][A-Za-z0-9_]*/)),
    operator: _ => choice('/\\', '\\/', '~', '->', '=>', /[-+*\/<>=!&|^?%]+/),

    comment: _ => token(choice(
      seq('//', /[^\n]*/),
      seq('/*', /[^*]*\*+([^/*][^*]*\*+)*/, '/'),
      seq('(*', /[ \t\r\n*][^*]*\*+([^)*][^*]*\*+)*/, ')'),
    )),
  },
});
