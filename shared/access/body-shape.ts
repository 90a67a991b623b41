import { looksLikeName } from './field-names.ts';

/** What is kept at most: a longer shape ends with `…`. */
const maxCharacters = 1_000;
const maxLevels = 6;
const maxMembers = 40;
/** The kinds of items in a list. */
const maxKinds = 3;
/** Items of a list that are looked at. */
const maxItems = 20;

/**
 * Names and types of a body, and none of its values: `{ to: string, tags: [{ name: string, value: number }] }`. A name
 * that doesn't look like one is `*`, as in `shownPath`. Looks at a bounded part of the body, however large it is.
 */
export function shapeOf(body: unknown): string {
  const shape = shapeAt(body, { levels: maxLevels, left: maxCharacters });
  return shape.length > maxCharacters ? `${shape.slice(0, maxCharacters - 1)}…` : shape;
}

/** `left` is shared by all parts of a body. */
type Bound = { readonly levels: number; left: number };

function shapeAt(value: unknown, bound: Bound): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (bound.levels === 0 || bound.left <= 0) return '…';
  const within = { ...bound, levels: bound.levels - 1 };
  const shape = Array.isArray(value) ? shapeOfList(value, within) : shapeOfObject(value, within);
  bound.left = within.left;
  return shape;
}

function shapeOfList(items: readonly unknown[], bound: Bound): string {
  const kinds = new Set<string>();
  for (const item of items.slice(0, maxItems)) {
    if (kinds.size === maxKinds) break;
    kinds.add(shapeAt(item, bound));
  }
  return `[${[...kinds].join(' | ')}]`;
}

function shapeOfObject(value: object, bound: Bound): string {
  const members = new Set<string>();
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    if (members.size === maxMembers || bound.left <= 0) {
      members.add('…');
      break;
    }
    const shown = looksLikeName(name) ? name : '*';
    bound.left -= shown.length + 4;
    const member: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
    members.add(`${shown}: ${shapeAt(member, bound)}`);
  }
  return members.size === 0 ? '{}' : `{ ${[...members].join(', ')} }`;
}
