import * as z from 'zod/mini';
import { parseEmailAddress } from '#shared/contacts/email-address';
import {
  type ApiKeyId,
  apiKeyIdSchema,
  type OrganizationId,
  personalKeyIdOf,
} from '#shared/tokens/resource-id';

type NamedPerson = { readonly id: ApiKeyId } | { readonly identity: string };

const personField = z.pipe(
  z.string(),
  z.transform((text, context): NamedPerson => {
    const id = apiKeyIdSchema.safeParse(text);
    if (id.success) return { id: id.data };
    const address = parseEmailAddress(text);
    if (address.ok) return { identity: address.value.identity };
    const message = text.includes('@')
      ? address.reason
      : 'must be the address or the ID of a person';
    context.issues.push({ code: 'custom', message, input: text });
    return z.NEVER;
  }),
);

/** Which part of the audit a list or an export is about. */
export const auditFilters = { person: z.optional(personField) };

export const auditFilterWords = {
  person:
    'Only what this person did: their address, or their ID (of an operator who entered, the actor of `operator.entered`). Removed people, too. Entries of the last second may be missing.',
} as const;

/** An ID follows from the address, so removed people are found, and unknown ones did nothing. */
export function personIdOf(
  organizationId: OrganizationId,
  person: NamedPerson | undefined,
): ApiKeyId | undefined {
  if (person === undefined) return undefined;
  return 'id' in person ? person.id : personalKeyIdOf(organizationId, person.identity);
}
