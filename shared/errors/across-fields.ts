import type { core } from 'zod/mini';

/**
 * Runs a check across fields even if single fields are at fault, so the caller gets all faults at once. The check may
 * then see unparsed fields. Only objects have fields.
 */
export const acrossFields = { when: ({ value }: core.ParsePayload) => isObject(value) };

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
