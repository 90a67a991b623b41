import { parseEmailAddress } from '#shared/contacts/email-address';
import { withoutAddress } from '#shared/contacts/erased-address';
import { withoutDisplayName } from '#shared/contacts/mailbox';

const recipientFields = new Set(['to', 'cc', 'bcc']);
const lists = new Set([...recipientFields, 'replyTo']);
/** Fields that hold neither recipients nor text. */
const untouched = new Set(['from', 'attachments']);

/** Its address goes with it: workers take the key from the send. */
const dropped = 'idempotencyKey';

/**
 * The body of a waiting request without these people (`EmailAddress.identity`): they get no copy, and its texts no
 * longer name them.
 */
export function withoutRecipients(body: unknown, identities: readonly string[]): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const isOther = (entry: unknown) => !identitiesIn(entry).some((one) => identities.includes(one));
  return Object.fromEntries(
    Object.entries(body).flatMap(([field, value]) => {
      if (field === dropped) return [];
      if (untouched.has(field)) return [[field, value]];
      if (!lists.has(field)) return [[field, identities.reduce<unknown>(withoutAddress, value)]];
      const others = listOf(value).filter(isOther);
      return others.length > 0 ? [[field, others]] : [];
    }),
  );
}

/** As `EmailAddress.identity`. */
export const recipientsOf = (body: unknown): string[] =>
  typeof body === 'object' && body !== null
    ? Object.entries(body).flatMap(([field, value]) =>
        recipientFields.has(field) ? listOf(value).flatMap(identitiesIn) : [],
      )
    : [];

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

function identitiesIn(entry: unknown): string[] {
  if (typeof entry !== 'string') return [];
  const parsed = parseEmailAddress(withoutDisplayName(entry));
  return parsed.ok ? [parsed.value.identity] : [];
}
