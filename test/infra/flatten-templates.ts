import * as z from 'zod';

const templateShape = z.object({
  Resources: z.record(z.string(), z.unknown()),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown() })).default({}),
});
const nestedResourceShape = z.object({
  Properties: z.object({ Parameters: z.record(z.string(), z.unknown()).default({}) }),
});
const reference = z.strictObject({ Ref: z.string() });
const attribute = z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });

/**
 * The resources of a stack and of those nested in it, as if they were one: parameters and outputs give way
 * to the values that they carry.
 *
 * @throws Error when two of the stacks have a logical id in common.
 */
export function flattenTemplates(
  parent: unknown,
  nested: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const resources = { ...templateShape.parse(parent).Resources };
  const outputs = new Map<string, unknown>();
  for (const [logicalId, template] of nested) {
    const { Resources, Outputs } = templateShape.parse(template);
    const { Parameters } = nestedResourceShape.parse(resources[logicalId]).Properties;
    const values = new Map(Object.entries(Parameters));
    for (const [name, { Value }] of Object.entries(Outputs)) {
      outputs.set(`${logicalId}.Outputs.${name}`, replaceParameters(Value, values));
    }
    for (const [id, resource] of Object.entries(Resources)) {
      if (id in resources) throw new Error(`Two stacks have a resource ${id}`);
      resources[id] = replaceParameters(resource, values);
    }
  }
  return Object.fromEntries(
    Object.entries(resources).map(([id, resource]) => [id, replaceOutputs(resource, outputs)]),
  );
}

const replaceParameters = (value: unknown, parameters: ReadonlyMap<string, unknown>): unknown =>
  replace(value, (part) => {
    const { success, data } = reference.safeParse(part);
    return success ? parameters.get(data.Ref) : undefined;
  });

const replaceOutputs = (value: unknown, outputs: ReadonlyMap<string, unknown>): unknown =>
  replace(value, (part) => {
    const { success, data } = attribute.safeParse(part);
    return success ? outputs.get(data['Fn::GetAtt'].join('.')) : undefined;
  });

function replace(value: unknown, replacementOf: (part: object) => unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => replace(part, replacementOf));
  if (typeof value !== 'object' || value === null) return value;
  const replacement = replacementOf(value);
  if (replacement !== undefined) return replacement;
  const parts = Object.entries(value).map(([key, part]) => [key, replace(part, replacementOf)]);
  return Object.fromEntries(parts);
}
