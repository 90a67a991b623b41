import { editDistance } from './edit-distance.ts';
import { missingHere, otherNames } from './other-names.ts';

/** Longer names are too far from ours to be typos. */
const longestCompared = 40;
/** A longer list wouldn't help. */
const mostListed = 16;

/**
 * Suggests a different way of writing the same name, another email API's name for it, or the nearest spelling. Never
 * repeats the unknown name, which may be anything.
 *
 * @param known the fields allowed there.
 */
export function unknownFieldMessage(
  name: string,
  known: readonly string[],
  noun: 'field' | 'parameter' = 'field',
): string {
  const advice = adviceOn(name, known);
  if (advice !== undefined) return `unknown ${noun}: ${advice}`;
  if (known.length === 0) return `unknown ${noun}: leave it out`;
  return `unknown ${noun}: leave it out, or use one of ${known.slice(0, mostListed).join(', ')}`;
}

function adviceOn(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestCompared) return undefined;
  const plain = plainOf(name);
  const renamed =
    known.find((field) => plainOf(field) === plain) ??
    otherNames.find(([field, names]) => known.includes(field) && names.includes(plain))?.[0];
  if (renamed !== undefined) return `use ${withHeader(renamed)}`;
  const missing = missingHere.find(
    ([beside, names]) => known.includes(beside) && names.includes(plain),
  );
  if (missing !== undefined) return missing[2];
  const nearest = nearestOf(name, known);
  return nearest && `did you mean ${withHeader(nearest)}?`;
}

/** `idempotency_key`, `Idempotency-Key` and `idempotencykey` are one name. */
const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[_\-\s]/g, '');

/** `undefined` if more than a third of the letters differ. Time is proportional to the length of the name. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  const plain = plainOf(name);
  const [nearest] = known
    .map((field) => ({ field, distance: editDistance(plain, plainOf(field)) }))
    .filter(({ field, distance }) => distance * 3 <= Math.max(plain.length, field.length))
    .toSorted((one, other) => one.distance - other.distance);
  return nearest?.field;
}

const withHeader = (field: string): string =>
  field === 'idempotencyKey' ? 'idempotencyKey, or the header Idempotency-Key' : field;
