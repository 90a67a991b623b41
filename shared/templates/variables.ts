import * as z from 'zod/mini';

/** What counts as missing is decided in `rendering/bounded-writer.ts`. */
export type Variables = Readonly<Record<string, unknown>>;

/** Real data is never deeper, and printing deeper values as JSON would overflow the stack. */
const maxDepth = 32;

const checkedVariables = z
  .custom<Variables>(isObject, { error: 'must be an object', abort: true })
  .check(
    z.refine((variables) => !isDeeperThan(variables, maxDepth), {
      error: `must not nest deeper than ${maxDepth} levels`,
      abort: true,
    }),
    z.refine(isWellFormed, { error: 'must be well-formed Unicode' }),
  );

/** A JSON object. Not copied. */
export const variablesSchema = z.pipe(
  z.unknown().register(z.globalRegistry, { type: 'object' }),
  checkedVariables,
);

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isWellFormed);
}
