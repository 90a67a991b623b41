import fc from 'fast-check';

/** Names that mean something to JavaScript, and few others, so that templates and variables meet. */
export const anyName = fc.constantFrom(
  ...['a', 'b', 'list', 'first-name', 'ünï', '0', 'length', 'toString', 'valueOf', 'toJSON'],
  ...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', '__defineGetter__'],
);

const anyPath = fc.oneof(
  { weight: 8, arbitrary: fc.array(anyName, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(['', ''], ['', 'a'], ['a', ''], ['a', '', 'b']) },
);

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('\n', '\r\n', ' ', '\t', '}}', '{', '<p>', '&', '"', '<a href="'),
);

const templateWith = (text: fc.Arbitrary<string>) =>
  fc.letrec<{ template: string; piece: string; section: string }>((tie) => ({
    template: fc.array(tie('piece'), { maxLength: 5 }).map((pieces) => pieces.join('')),
    piece: fc.oneof(
      { maxDepth: 4 },
      text,
      anyPath.map((path) => `{{${path.join('.')}}}`),
      anyPath.map((path) => `{{{ ${path.join('.')} }}}`),
      anyPath.map((path) => `{{& ${path.join('.')}}}`),
      fc.constant('{{! a comment }}'),
      tie('section'),
    ),
    section: fc
      .tuple(fc.constantFrom('#', '^'), anyPath, tie('template'))
      .map(([symbol, path, inner]) => {
        const name = path.join('.');
        return `{{${symbol}${name}}}${inner}{{/${name}}}`;
      }),
  })).template;

/** A template, mostly without faults: a brace in its text may make a tag of what stands beside it. */
export const anyTemplate = templateWith(anyText);

/** A template without faults. */
export const anySoundTemplate = templateWith(anyText.map((text) => text.replaceAll('{', '(')));

/** What JSON.parse makes of any JSON, with names that templates use too. */
export const anyVariables = fc
  .dictionary(anyName, anyValue(), { maxKeys: 6 })
  .map((variables): Record<string, unknown> => JSON.parse(JSON.stringify(variables)));

function anyValue() {
  const leaf = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: 'grapheme' }));
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(anyName, tie('value'), { maxKeys: 3 }),
    ),
  })).value;
}
