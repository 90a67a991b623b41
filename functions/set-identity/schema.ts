import * as z from 'zod/mini';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { domainField } from '#shared/domains/domain-field';
import { identityViewSchema } from '#shared/identity/identity-view';

const address = z.pipe(
  z.string(),
  z.transform((text, context): string => {
    const parsed = parseEmailAddress(text);
    if (parsed.ok) return parsed.value.address;
    context.issues.push({ code: 'custom', message: parsed.reason, input: text });
    return z.NEVER;
  }),
);

const label = z.string().check(
  z.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, {
    error: 'must be one part of a name: lower-case letters, digits and hyphens',
  }),
);

/** Body of PUT /api/v1/organization/identity. */
export const requestSchema = z
  .strictObject({
    domain: domainField,
    fromEmail: address,
    /** Of the MAIL FROM domain, `<label>.<domain>`. */
    mailFromLabel: z._default(label, 'bounces'),
  })
  .check(
    z.refine(({ domain, fromEmail }) => fromEmail.endsWith(`@${domain}`), {
      path: ['fromEmail'],
      error: 'must be an address of the domain',
    }),
  );
export type SetIdentityRequest = z.infer<typeof requestSchema>;

/** Response 200. */
export const responseSchema = identityViewSchema;
