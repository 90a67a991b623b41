import * as z from 'zod/mini';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { identityViewSchema } from '#shared/identity/identity-view';

/** With the longest MAIL FROM label before it, a name in DNS has room (RFC 1035 §2.3.4). */
const maxDomainLength = 180;

const domain = z.pipe(
  z.string().check(z.maxLength(maxDomainLength)),
  z.transform((text, context): string => {
    const parsed = parseEmailAddress(`postmaster@${text}`);
    if (parsed.ok) return parsed.value.address.slice('postmaster@'.length);
    const message = 'must be a domain such as mail.example.com';
    context.issues.push({ code: 'custom', message, input: text });
    return z.NEVER;
  }),
);

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
    domain,
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
