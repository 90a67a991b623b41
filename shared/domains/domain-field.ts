import * as z from 'zod/mini';
import { parseEmailAddress } from '#shared/contacts/email-address';

/** Leaves room in DNS for the longest MAIL FROM label (RFC 1035 §2.3.4). */
const maxDomainLength = 180;

/** Turns what people type into what DNS has. */
export const domainField = z.pipe(
  z.string().check(z.maxLength(maxDomainLength)),
  z.transform((text, context): string => {
    const parsed = parseEmailAddress(`postmaster@${text}`);
    if (parsed.ok) return parsed.value.address.slice('postmaster@'.length);
    const message = 'must be a domain such as mail.example.com';
    context.issues.push({ code: 'custom', message, input: text });
    return z.NEVER;
  }),
);

export const mailFromLabelField = z.string().check(
  z.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, {
    error: 'must be a single label of lower-case letters, digits and hyphens',
  }),
);
