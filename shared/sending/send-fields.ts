import * as z from 'zod/mini';
import {
  type EmailAddress,
  hasControlCharacter,
  parseEmailAddress,
} from '#shared/contacts/email-address';

/** SES's limit for to, cc and bcc together (SES quotas, "Message quotas"). */
export const maxRecipients = 50;
const maxBodyLength = 2_000_000;

const toEmailAddress = z.transform<string, EmailAddress>((text, context) => {
  const parsed = parseEmailAddress(withoutDisplayName(text));
  if (parsed.ok) return parsed.value;
  const message = namesSeveral.test(text) ? oneInEach : parsed.reason;
  context.issues.push({ code: 'custom', message, input: text });
  return z.NEVER;
});

const namesSeveral = /@[^@]*[,;][^@]*@/;
const oneInEach = 'must be one address; cc and bcc take several as an array of strings';

/** Drops the name in `Ann <ann@example.com>`: the email shows the bare address. */
const emailAddress = z.pipe(z.string(), toEmailAddress);

/** The `to` of a send: one address, where other services take a list. */
export const oneEmailAddress = z.pipe(
  z.string({ error: ({ input }) => (Array.isArray(input) ? oneRecipient : undefined) }),
  toEmailAddress,
);
const oneRecipient =
  'must be one address, as a string: send each recipient an email of its own, or use cc or bcc';

const oneInList = z.pipe(
  z.string(),
  z.transform((text) => [text]),
);

/** `emailAddress` checks the entries, and names the one at fault. */
const anyEntry = z.unknown().register(z.globalRegistry, { type: 'string' });

export const emailAddressList = z.pipe(
  z.union([oneInList, z.array(anyEntry).check(z.maxLength(maxRecipients))], {
    error: `must be one address or a list of at most ${maxRecipients}`,
  }),
  z.array(emailAddress),
);

export const singleLine = (maxLength: number) =>
  z.string().check(
    z.minLength(1),
    z.maxLength(maxLength),
    z.refine(wellFormed, notWellFormed),
    z.refine((text) => !hasControlCharacter(text), {
      error: 'must not contain control characters or line breaks',
    }),
  );

/** UTF-8 can't encode half a surrogate pair. */
const wellFormed = (text: string): boolean => text.isWellFormed();
const notWellFormed = { error: 'must be well-formed Unicode' };

export const bodyText = z
  .string()
  .check(z.minLength(1), z.maxLength(maxBodyLength), z.refine(wellFormed, notWellFormed));

/** 1 to 255 printable ASCII characters. */
export const idempotencyKeySchema = z
  .string()
  .check(z.regex(/^[\x20-\x7e]{1,255}$/, { error: 'must be 1 to 255 printable ASCII characters' }));

/**
 * Takes the address out of `Ann <ann@example.com>` or `"Lee, Ann" <ann@example.com>` (RFC 5322 §3.4,
 * "name-addr"). Returns other text unchanged, even if it names several addresses.
 */
export function withoutDisplayName(text: string): string {
  if (hasControlCharacter(text)) return text;
  return nameAndAddress.exec(text.trim())?.[1] ?? text;
}

/** A name without quotes holds nothing that could end an address or begin another. */
const nameAndAddress = /^(?:"(?:[^"\\]|\\.)*" *|[^"<>@,;]*)<([^<>]*)>$/;
