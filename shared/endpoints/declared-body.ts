import * as z from 'zod/mini';

type DeclaredBody = {
  readonly body: unknown;
  /** Paths that don't match the schema. */
  readonly faults: readonly string[];
};

/**
 * The body of an answer as its schema declares it. By then the work is done, and an email may be out, so a value that
 * the schema refuses is answered all the same. What no schema names stays out either way: it may be secret.
 */
export function declaredBody(schema: z.core.$ZodType, body: unknown): DeclaredBody {
  const parsed = z.safeParse(schema, body);
  return parsed.success
    ? { body: parsed.data, faults: [] }
    : {
        body: declaredPart(schema, body),
        faults: parsed.error.issues.map(({ path }) => path.join('.')),
      };
}

function declaredPart(schema: z.core.$ZodType, value: unknown): unknown {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  if (isWrapper(schema)) return declaredPart(schema._zod.def.innerType, value);
  if (isUnion(schema)) {
    const parts = schema._zod.def.options.map((option) => declaredPart(option, value));
    return parts.every(isRecord) ? Object.assign({}, ...parts) : parts.find(isDefined);
  }
  if (Array.isArray(value)) {
    return isArray(schema)
      ? value.map((entry) => declaredPart(schema._zod.def.element, entry))
      : undefined;
  }
  // Text, a number: only its form is another than declared.
  if (!isRecord(value)) return value;
  if (!isObject(schema)) return undefined;
  const { shape } = schema._zod.def;
  const named = Object.entries(value).flatMap(([name, field]) => {
    const declared = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return declared === undefined ? [] : [[name, declaredPart(declared, field)]];
  });
  return Object.fromEntries(named);
}

// By their names: the classes would put more of zod into every bundle.

const isWrapper = (
  schema: z.core.$ZodType,
): schema is z.core.$ZodOptional | z.core.$ZodNullable | z.core.$ZodDefault =>
  ['optional', 'nullable', 'default'].includes(schema._zod.def.type);

const isUnion = (schema: z.core.$ZodType): schema is z.core.$ZodUnion =>
  schema._zod.def.type === 'union';

const isArray = (schema: z.core.$ZodType): schema is z.core.$ZodArray =>
  schema._zod.def.type === 'array';

const isObject = (schema: z.core.$ZodType): schema is z.core.$ZodObject =>
  schema._zod.def.type === 'object';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDefined = (value: unknown): boolean => value !== undefined;
