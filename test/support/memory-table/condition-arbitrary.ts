import fc from 'fast-check';

/**
 * Random conditions, of few enough attributes and values that they meet items now and then. Some are
 * sound, and some are wild: DynamoDB may refuse those.
 */

/** Every placeholder that a random expression may use. */
const names: Readonly<Record<string, string>> = { '#s': 's', '#x': 'x', '#sk': 'sk' };

const values: Readonly<Record<string, unknown>> = {
  ':zero': 0,
  ':one': 1,
  ':five': 5,
  ':half': 0.5,
  ':a': 'a',
  ':ab': 'ab',
  ':empty': '',
  ':p': 'p1',
  ':q': 'p2',
  ':true': true,
  ':null': null,
  ':list': [1, 'a'],
  ':map': { x: 1 },
  ':set': new Set(['a']),
  ':sets': new Set(['a', 'b']),
  ':numbers': new Set([1, 2]),
  ':bytes': new Uint8Array([97]),
  ':type': 'N',
};

/** The placeholders that expressions use, as a request has them. */
export function placeholdersOf(...expressions: readonly (string | undefined)[]) {
  const used = new Set(expressions.flatMap((text) => text?.match(/[#:]\w+/g) ?? []));
  const pick = <Value>(all: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(all).filter(([placeholder]) => used.has(placeholder)));
  const [usedNames, usedValues] = [pick(names), pick(values)];
  return {
    ...(Object.keys(usedNames).length > 0 && { ExpressionAttributeNames: usedNames }),
    ...(Object.keys(usedValues).length > 0 && { ExpressionAttributeValues: usedValues }),
  };
}

export const anyValue = fc.constantFrom(...Object.values(values));

export const join = (separator: string) => (texts: readonly string[]) => texts.join(separator);
export const oneOf = fc.constantFrom<string[]>;

/** One of both: mostly the first. */
export const mostly = <Value>(usual: fc.Arbitrary<Value>, rare: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: rare });

export const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

/** By attribute, the paths of an item of which expressions speak. */
export const paths = {
  n: ['n'],
  f: ['f'],
  '#s': ['#s'],
  b: ['b'],
  l: ['l', 'l[0]', 'l[1]', 'l[7]', 'l[0].x'],
  m: ['m', 'm.x', 'm.y', 'm.y.q', 'm.#x', 'm.l[0]', 'm.l[9]', 'm.l', 'm.absent.x'],
  ss: ['ss'],
  ns: ['ns'],
  misc: ['misc', 'misc.x', 'misc[0]'],
  absent: ['absent'],
  gsi2pk: ['gsi2pk'],
};

export const path = oneOf(...Object.values(paths).flat(), '#sk', 'pk');
export const value = oneOf(...Object.keys(values));

const number = oneOf('n', 'f', ':zero', ':one', ':five', ':half', 'm.x', 'l[0]', 'size(l)');
const text = oneOf('#s', ':a', ':ab', 'l[1]', '#sk', 'misc', 'gsi2pk');
const anyOperand = fc.oneof(
  path,
  value,
  fc.oneof(path, value).map((of) => `size(${of})`),
);
const comparator = oneOf('=', '<>', '<', '<=', '>', '>=');
const among = (operand: fc.Arbitrary<string>) =>
  fc.array(operand, { minLength: 1, maxLength: 3 }).map((all) => `(${all.join(', ')})`);

const comparisonsOf = (operand: fc.Arbitrary<string>) => [
  fc.tuple(operand, comparator, operand).map(join(' ')),
  fc.tuple(operand, fc.constant('IN'), among(operand)).map(join(' ')),
];
const call = (name: string, ...operands: readonly fc.Arbitrary<string>[]) =>
  fc.tuple(...operands).map((texts) => `${name}(${texts.join(', ')})`);

const sound = fc.oneof(
  oneOf('attribute_exists(pk)', 'attribute_not_exists(pk)'),
  ...comparisonsOf(number),
  ...comparisonsOf(text),
  fc.tuple(anyOperand, oneOf('=', '<>'), anyOperand).map(join(' ')),
  fc.tuple(number, oneOf(':zero AND :five', 'n AND f', ':one AND n')).map(join(' BETWEEN ')),
  fc.tuple(text, oneOf(':a AND :ab', '#s AND :ab', '#s AND misc')).map(join(' BETWEEN ')),
  call('attribute_exists', path),
  call('attribute_not_exists', path),
  call('attribute_type', path, fc.constant(':type')),
  call('begins_with', path, oneOf(':a', ':ab', ':empty', ':bytes')),
  call('contains', oneOf('#s', 'l', 'ss', 'ns', 'misc', ':list'), fc.oneof(value, number)),
);

const wild = fc.oneof(
  ...comparisonsOf(anyOperand),
  fc.tuple(anyOperand, anyOperand, anyOperand).map(([all, from, to]) => {
    return `${all} BETWEEN ${from} AND ${to}`;
  }),
  call('attribute_exists', anyOperand),
  call('attribute_type', anyOperand, oneOf(':a', ':type', '#s')),
  call('begins_with', anyOperand, anyOperand),
  call('contains', anyOperand, anyOperand),
);

export const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: mostly(sound, wild) },
    { weight: 1, arbitrary: tie('condition').map((inner) => `NOT ${inner}`) },
    { weight: 1, arbitrary: mostly(sound, tie('condition')).map((inner) => `(${inner})`) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(tie('condition'), oneOf('AND', 'OR', 'and'), tie('condition'))
        .map(join(' ')),
    },
  ),
}));
