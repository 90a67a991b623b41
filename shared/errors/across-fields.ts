import type { core } from 'zod/mini';

/**
 * Lets a check that compares fields run also while single fields are at fault, so that the caller hears of
 * all faults at once. The check may then see fields as they came. Only an object has fields.
 */
export const acrossFields = { when: ({ value }: core.ParsePayload) => isObject(value) };

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
