import { createRequire } from 'node:module';

/** An email as aws-ses-v2-local keeps it. */
export type InboxEmail = {
  readonly messageId: string;
  readonly from: string;
  readonly replyTo: readonly string[];
  readonly destination: Readonly<Record<'to' | 'cc' | 'bcc', readonly string[]>>;
  readonly subject: string;
  readonly body: { readonly text?: string | undefined; readonly html?: string | undefined };
  readonly headers?: readonly { readonly name: string; readonly value: string }[] | undefined;
  readonly attachments: readonly {
    readonly filename?: string | undefined;
    readonly contentId?: string | undefined;
    readonly contentType: string;
    readonly content: string;
  }[];
  /** Epoch seconds. */
  readonly at: number;
};

/** The emails that SES accepted since the start, oldest first. */
export type Inbox = () => Promise<readonly InboxEmail[]>;

type Store = { readonly getStoreReadonly: () => { readonly emails: readonly InboxEmail[] } };

const require = createRequire(import.meta.url);

/**
 * The mailbox of this process, read directly: its HTTP endpoint serializes all emails as JSON, which would block the
 * process.
 */
export const ownInbox: Inbox = async () => {
  const store: Store = require('aws-ses-v2-local/dist/store.js');
  return store.getStoreReadonly().emails;
};

/** A mailbox elsewhere, if it has an inbox. */
export const inboxAt =
  (url: string): Inbox =>
  async () => {
    const store: unknown = await (await fetch(`${url}/store`)).json();
    if (!hasInbox(store)) throw new Error(`${url} has no inbox`);
    return store.emails;
  };

const hasInbox = (store: unknown): store is { readonly emails: readonly InboxEmail[] } =>
  typeof store === 'object' && store !== null && 'emails' in store && Array.isArray(store.emails);

export type InboxSearch = {
  readonly search?: string | undefined;
  /** Only emails that came before the one at this place. */
  readonly before?: number | undefined;
  /** Only emails at this place or later. */
  readonly from?: number;
  readonly limit: number;
};

/** Positions count from the first email, so they never change. */
export type InboxEntry = { readonly place: number; readonly email: InboxEmail };

export type InboxPage = {
  readonly entries: readonly InboxEntry[];
  /** Whether there are older ones. */
  readonly hasOlder: boolean;
};

/** Takes about a millisecond. */
const stride = 500;

/** Newest first. A search yields after each stride, so concurrent sends aren't delayed. */
export async function findInInbox(
  emails: readonly InboxEmail[],
  { search = '', before = emails.length, from = 0, limit }: InboxSearch,
): Promise<InboxPage> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const entries: InboxEntry[] = [];
  for (let place = Math.min(before, emails.length) - 1; place >= from; place -= 1) {
    const email = emails[place];
    if (words.length > 0 && place % stride === 0) await new Promise(setImmediate);
    if (email === undefined || !hasAll(email, words)) continue;
    if (entries.length === limit) return { entries, hasOlder: true };
    entries.push({ place, email });
  }
  return { entries, hasOlder: false };
}

function hasAll(email: InboxEmail, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { subject, from, messageId } = email;
  const text = [subject, from, messageId, ...recipientsOf(email)].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

export const recipientsOf = ({
  destination: { to, cc, bcc },
}: Pick<InboxEmail, 'destination'>): readonly string[] => [...to, ...cc, ...bcc];
