import * as z from 'zod/mini';
import { isOfOperators } from '#shared/access/operators';
import { auditEntrySchema } from '#shared/audit/audit-entry';
import { apiKeyIdSchema, organizationIdOf } from '#shared/tokens/resource-id';
import { type Notice, newNotice } from './notice.ts';

// Who copies a console's cookie, or a key, wants what outlasts it: messages about every recipient, people's answers,
// another key. The organization gets an email about each such change, once per kind and hour.

/** An audit entry, as far as it says what changed. */
export const sensitiveEntrySchema = z.pick(auditEntrySchema, {
  id: true,
  at: true,
  actor: true,
  isPerson: true,
  session: true,
  action: true,
  target: true,
  before: true,
  after: true,
});
type Entry = z.output<typeof sensitiveEntrySchema>;

type NoticeWords = { readonly subject: string; readonly what: string };

const changed = ({ before = {}, after = {} }: Entry, ...names: readonly string[]): boolean =>
  names.some((name) => name in before || name in after);

const settings = {
  replyTo: 'where answers to your emails go (replyTo)',
  unsubscribePageUrl: 'where people go to unsubscribe (unsubscribePageUrl)',
  noticeEmail: 'where these notices go (noticeEmail)',
} as const;

/** What the notice says, by the audit's name for the change; `undefined` if this one sends nothing out. */
const kinds: Readonly<Record<string, (entry: Entry) => NoticeWords | undefined>> = {
  'webhook.created': ({ target, after }) => ({
    subject: 'A webhook endpoint was added',
    what: `added the webhook endpoint ${target} at ${after?.['url']}, which gets recipients and subjects with its events`,
  }),
  'webhook.updated': (entry) =>
    changed(entry, 'url')
      ? {
          subject: 'A webhook endpoint has a new address',
          what: `changed the address of the webhook endpoint ${entry.target} to ${entry.after?.['url']}`,
        }
      : undefined,
  'webhook.secret_rotated': ({ target }) => ({
    subject: 'The secret of a webhook endpoint was rotated',
    what: `rotated the secret of the webhook endpoint ${target}, and saw the new one`,
  }),
  'webhook.secret_read': inSession(({ target }) => ({
    subject: 'The secret of a webhook endpoint was read',
    what: `read the secret of the webhook endpoint ${target}`,
  })),
  'organization.updated': wordsOfSettings,
  'notice_target.put': ({ target, before, after }) => ({
    subject:
      before === undefined ? 'A target for notices was added' : 'A target for notices was changed',
    what: `set the target ${target}, at ${after?.['host']}, which gets these notices too`,
  }),
  'notice_target.deleted': ({ target, before }) => ({
    subject: 'A target for notices was deleted',
    what: `deleted the target ${target}, at ${before?.['host']}, which got these notices too`,
  }),
  'template.updated': ({ target, after }) =>
    z.array(z.string()).safeParse(after?.['changed']).data?.includes('replyTo')
      ? {
          subject: 'A template sends answers elsewhere',
          what: `changed where answers to emails of the template ${target} go (replyTo)`,
        }
      : undefined,
  'suppressions.exported': inSession(() => ({
    subject: 'The suppressed addresses were exported',
    what: 'exported the suppressed addresses',
  })),
  'contact.exported': inSession(({ target }) => ({
    subject: 'What is known of a person was exported',
    what: `exported what is known of the person ${target}`,
  })),
  'sends.exported': inSession(() => ({
    subject: 'Emails were exported',
    what: 'exported emails, with their recipients and subjects',
  })),
  'audit.exported': inSession(() => ({
    subject: 'The audit was exported',
    what: 'exported the audit, with the addresses of the people in it',
  })),
  'email.content_read': inSession(({ target, after }) =>
    after?.['resent']
      ? {
          subject: 'An email was sent again to somebody else',
          what: `sent the email ${target} again, to somebody else`,
        }
      : undefined,
  ),
  'operator.entered': ({ after }) => ({
    subject: 'An operator of the service entered your console',
    what: `operates the service and entered your console, because: ${after?.['reason']}`,
  }),
  'person.invited': ({ after }) => ({
    subject: 'Somebody was invited',
    what: `invited somebody as ${after?.['role']} (GET /api/v1/people shows whom)`,
  }),
  'person.created': ({ after }) => ({
    subject: 'Somebody came from your identity provider',
    what: `gave somebody the role ${after?.['role']} (GET /api/v1/people shows whom)`,
  }),
  'person.role_changed': ({ target, after }) => ({
    subject: 'Somebody has a new role',
    what: `made the person ${target} ${after?.['role']}`,
  }),
  'person.removed': ({ target, before }) => ({
    subject: 'Somebody was removed',
    what: `removed the person ${target}, who was ${before?.['role']}`,
  }),
  'passkey.added': () => ({
    subject: 'A passkey was added',
    what: 'added a passkey, which signs in as them without an email',
  }),
  'api_key.created': ({ target }) => ({
    subject: 'An API key was created',
    what: `created the API key ${target}`,
  }),
  'api_key.rotated': ({ target, after }) => ({
    subject: 'An API key was rotated',
    what: `rotated the API key ${target}: its successor is ${after?.['replacedBy']}`,
  }),
  'api_key.updated': (entry) =>
    changed(entry, 'scopes', 'allowedFrom', 'perMinuteCap', 'dailyCap', 'validUntil')
      ? {
          subject: 'The rights of an API key were changed',
          what: `changed what the API key ${entry.target} may do`,
        }
      : undefined,
};

/** Programs read with their keys all day. */
function inSession(wordsOf: (entry: Entry) => NoticeWords | undefined) {
  return (entry: Entry) => (entry.session === undefined ? undefined : wordsOf(entry));
}

function wordsOfSettings(entry: Entry): NoticeWords | undefined {
  const opensReading = entry.after?.['keylessReading'] === true;
  const names = [
    ...Object.entries(settings).flatMap(([name, words]) => (changed(entry, name) ? [words] : [])),
    ...(opensReading ? ['who may read a send: its id is enough now (keylessReading)'] : []),
  ];
  if (names.length === 0) return undefined;
  return {
    subject: 'Settings that decide where data goes were changed',
    what: `changed ${names.join(', ')}`,
  };
}

const hourOf = (at: number): string => new Date(at).toISOString().slice(11, 13);

/** Of an operator who hasn't entered the organization: nothing there ends what they may do. */
function isOperatorsOwn(actor: Entry['actor']): boolean {
  const { data: id } = apiKeyIdSchema.safeParse(actor);
  return id !== undefined && isOfOperators({ id });
}

function whoOf({ actor, session, isPerson }: Entry): string {
  if (actor === 'operator' || isOperatorsOwn(actor)) return 'The operator of the service';
  if (actor === 'issuer') return 'Your identity provider';
  if (isPerson) return `The person ${actor} (session ${session})`;
  const key = `the API key ${actor}`;
  return session === undefined
    ? `A program with ${key}`
    : `Somebody signed in to the console with ${key} (session ${session})`;
}

/** How to end what they may do. */
function endOf({ actor, isPerson }: Entry): string {
  if (actor === 'operator' || isOperatorsOwn(actor)) return '';
  if (actor === 'issuer') return ' there';
  return isPerson
    ? ` and remove that person (DELETE /api/v1/people/${actor}), which ends their sessions`
    : ` and revoke that key (DELETE /api/v1/api-keys/${actor}), which ends its sessions`;
}

/** `undefined` if the entry is about nothing that sends data out. */
export function sensitiveNotice(entry: Entry): Notice | undefined {
  const words = Object.hasOwn(kinds, entry.action) ? kinds[entry.action]?.(entry) : undefined;
  if (words === undefined) return undefined;
  const { id, at, action } = entry;
  return newNotice(
    organizationIdOf(id),
    {
      cause: 'sensitive_change',
      about: `${action}-${hourOf(at)}`,
      subject: words.subject,
      text: `${whoOf(entry)} ${words.what}, at ${new Date(at).toISOString()}.

If you didn’t expect this, undo it${endOf(entry)}. GET /api/v1/audit shows what else was done. Further changes of this kind within the hour are only there.`,
    },
    at,
  );
}

/**
 * For the address that gets notices until `noticeEmail` changes: somebody who takes them over must not be the only one
 * to learn of it.
 */
export function noticeToFormerAddress(entry: Entry, to: string): Notice | undefined {
  const notice = sensitiveNotice(entry);
  return notice && { ...notice, about: `${notice.about}-former`, to };
}
