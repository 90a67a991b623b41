import * as core from 'zod/v4/core';

/** Leaves out fields that may only be absent, or whose value doesn't count. */
export function fieldNamesAt(
  schema: core.$ZodType,
  path: readonly PropertyKey[],
): readonly string[] {
  const [step, ...rest] = path;
  const names = partsOf(schema).flatMap((part) => {
    if (part instanceof core.$ZodArray && step !== undefined) {
      return fieldNamesAt(part._zod.def.element, rest);
    }
    if (!(part instanceof core.$ZodObject)) return [];
    const { shape } = part._zod.def;
    if (step === undefined) return Object.keys(shape).filter((name) => counts(shape[name]));
    const field = shape[String(step)];
    return field === undefined ? [] : fieldNamesAt(field, rest);
  });
  return [...new Set(names)];
}

/** Pipes, unions and optional fields check one value with several schemas. */
function partsOf(schema: core.$ZodType): readonly core.$ZodType[] {
  if (schema instanceof core.$ZodPipe) {
    return [schema._zod.def.in, schema._zod.def.out].flatMap(partsOf);
  }
  if (schema instanceof core.$ZodUnion) return schema._zod.def.options.flatMap(partsOf);
  const isWrapper =
    schema instanceof core.$ZodOptional ||
    schema instanceof core.$ZodNullable ||
    schema instanceof core.$ZodDefault;
  return isWrapper ? partsOf(schema._zod.def.innerType) : [schema];
}

const counts = (schema: core.$ZodType | undefined): boolean =>
  schema !== undefined &&
  partsOf(schema).some(
    (part) => !(part instanceof core.$ZodNever || part instanceof core.$ZodUnknown),
  );
