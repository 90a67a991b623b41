import * as z from 'zod/mini';
import { type FieldError, validationFailed } from '#shared/errors/service-error';
import { variableNamePattern } from './rendering/template-tags.ts';
import type { Variables } from './variables.ts';

export const variableTypes = ['string', 'number', 'boolean', 'object', 'list'] as const;
export type VariableType = (typeof variableTypes)[number];

export const declaredVariableSchema = z.object({
  type: z.enum(variableTypes),
  required: z.exactOptional(z.boolean()),
  /** Printed if the caller gives nothing. */
  fallback: z.exactOptional(z.unknown()),
});
export type DeclaredVariable = z.infer<typeof declaredVariableSchema>;

export const variableNameSchema = z.string().check(
  z.regex(variableNamePattern, {
    error: 'must be 1 to 64 letters, digits, dashes and underscores, without a dot',
  }),
);

export const declaredVariablesSchema = z.record(z.string(), declaredVariableSchema);
/** By name. Undeclared variables may be given too. */
export type DeclaredVariables = z.infer<typeof declaredVariablesSchema>;

const article: Readonly<Record<VariableType, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  list: 'a list',
};

export const typeFault = (type: VariableType, value: unknown): string | undefined =>
  isOfType[type](value) ? undefined : `must be ${article[type]}`;

const isOfType: Readonly<Record<VariableType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  list: Array.isArray,
};

/**
 * `null` counts as nothing.
 *
 * @throws ServiceError `validation_failed` with each variable that is required and missing, or of another type.
 */
export function withFallbacks(
  declared: DeclaredVariables | undefined,
  given: Variables,
): Variables {
  if (declared === undefined) return given;
  const faults: FieldError[] = [];
  const filled = new Map(Object.entries(given));
  for (const [name, { type, required, fallback }] of Object.entries(declared)) {
    const value = filled.get(name) ?? undefined;
    const message =
      value === undefined
        ? required && 'is required by the template'
        : typeFault(type, value) && `${typeFault(type, value)}, as the template declares it`;
    if (message) faults.push({ path: `variables.${name}`, message });
    if (value === undefined && fallback !== undefined) filled.set(name, fallback);
  }
  if (faults.length > 0) throw validationFailed(faults);
  return Object.fromEntries(filled);
}
