import * as z from 'zod';
import type { SynthesisedStack } from './synthesised-stack.ts';

const reference = z.object({ Ref: z.string() });
const attribute = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });
const join = z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });

/** A template value as text, each resource by its construct path, whatever attribute of it is meant. */
export function asText(stack: SynthesisedStack, value: unknown): string {
  const pathOf = (logicalId: string) =>
    stack.resources.find((resource) => resource.logicalId === logicalId)?.path ?? `{${logicalId}}`;

  const asReference = reference.safeParse(value);
  if (asReference.success) return pathOf(asReference.data.Ref);
  const asAttribute = attribute.safeParse(value);
  if (asAttribute.success) return pathOf(asAttribute.data['Fn::GetAtt'][0]);
  const asJoin = join.safeParse(value);
  if (!asJoin.success) return z.coerce.string().parse(value);
  const [separator, parts] = asJoin.data['Fn::Join'];
  return parts.map((part) => asText(stack, part)).join(separator);
}
