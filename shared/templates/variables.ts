import * as z from 'zod';

/** Deeper values are no one's data, and printing them as JSON would go as deep. */
const maxDepth = 32;

/** The variables of a template: a JSON object. */
export const variablesSchema = z
  .record(z.string(), z.unknown())
  .refine((variables) => !isDeeperThan(variables, maxDepth), {
    message: `must not nest deeper than ${maxDepth} levels`,
  });

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
