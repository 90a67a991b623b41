import fc from 'fast-check';
import { join, mostly, oneOf, path, paths, value } from './condition-arbitrary.ts';

/** Random update expressions. Some are sound, and some are wild: DynamoDB may refuse those. */

type Action = readonly [section: string, clause: string];

const number = oneOf(':one', ':five', ':half', 'n', 'f', 'if_not_exists(n, :zero)', 'm.x');
const sum = fc.tuple(number, oneOf('+', '-'), number).map(join(' '));
const addend = oneOf(':one', ':half', ':five');
const list = oneOf(':list', 'l', 'if_not_exists(l, :list)', 'm.l');
const joined = fc.tuple(list, list).map((all) => `list_append(${all.join(', ')})`);
const orElse = fc.tuple(path, value).map((all) => `if_not_exists(${all.join(', ')})`);

const set = (target: string, to: fc.Arbitrary<string>) =>
  to.map((text): Action => ['SET', `${target} = ${text}`]);
const add = (target: string, addends: fc.Arbitrary<string>) =>
  addends.map((text): Action => ['ADD', `${target} ${text}`]);
const take = (target: string, taken: fc.Arbitrary<string>) =>
  taken.map((text): Action => ['DELETE', `${target} ${text}`]);
const remove = (...targets: readonly string[]) =>
  oneOf(...targets).map((target): Action => ['REMOVE', target]);

const numeric = (target: string) =>
  fc.oneof(set(target, fc.oneof(sum, addend)), add(target, addend), remove(target));

/** By attribute, what suits its type. */
const sound: { readonly [Attribute in keyof typeof paths]: fc.Arbitrary<Action> } = {
  n: numeric('n'),
  f: numeric('f'),
  '#s': fc.oneof(set('#s', oneOf(':a', ':ab', ':empty')), remove('#s')),
  b: set('b', fc.oneof(value, orElse)),
  l: fc.oneof(
    set('l', fc.oneof(joined, fc.constant(':list'))),
    set('l[0]', fc.oneof(value, orElse)),
    set('l[7]', value),
    remove('l[0]', 'l[1]', 'l[7]', 'l[2], l[0]'),
    set('l[9]', oneOf(':one, l[7] = :a', 'l[0], l[7] = l[1], l[0] = :a')),
  ),
  m: fc.oneof(
    set('m', fc.constant(':map')),
    set('m.x', fc.oneof(sum, value)),
    set('m.y.q', value),
    add('m.x', addend),
    remove('m.x', 'm.y', 'm.y.q'),
  ),
  ss: fc.oneof(
    set('ss', oneOf(':sets', ':set')),
    add('ss', oneOf(':set', ':sets')),
    take('ss', oneOf(':set', ':sets')),
  ),
  ns: fc.oneof(
    set('ns', fc.constant(':numbers')),
    add('ns', fc.constant(':numbers')),
    take('ns', fc.constant(':numbers')),
  ),
  misc: fc.oneof(set('misc', fc.oneof(value, orElse)), remove('misc')),
  absent: remove('absent'),
  gsi2pk: fc.oneof(set('gsi2pk', oneOf(':p', ':q')), remove('gsi2pk')),
};

const wild = oneOf(...Object.values(paths).flat()).chain((target) =>
  fc.oneof(
    set(target, fc.oneof(path, value, sum, joined, orElse)),
    add(target, value),
    take(target, value),
    remove(target),
  ),
);

/** Mostly of distinct attributes, since overlapping paths are refused. */
export const update = fc
  .uniqueArray(fc.constantFrom(...Object.values(sound)), { minLength: 1, maxLength: 3 })
  .chain((attributes) => fc.tuple(...attributes.map((attribute) => mostly(attribute, wild))))
  .map((actions) => {
    const sections = Map.groupBy(actions, ([section]) => section);
    return [...sections]
      .map(([section, all]) => `${section} ${all.map(([, clause]) => clause).join(', ')}`)
      .join(' ');
  });
