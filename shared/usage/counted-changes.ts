import * as z from 'zod/mini';
import { unsentStatuses } from '#shared/config/unsent-statuses';
import { eventTypes } from '#shared/events/event';
import { type SendStatus, sendEndpoints } from '#shared/sending/send';
import { isHardBounce } from '#shared/suppressions/bounce-kinds';
import { organizationOfPartition } from '#shared/table/keys';
import { eventSortKeyPrefix, messageSortKeyPrefix, sendSortKey } from '#shared/table/send-keys';
import { type ApiKeyId, apiKeyIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import {
  type Change,
  changeSchema,
  isStoredLate,
  lengthOfList,
  maxSequenceDigits,
  moment,
  number,
  oneOf,
  tagsOfMap,
  text,
} from './stream-record.ts';
import type { UsageCounts } from './usage-counts.ts';

/** What one change of the table adds to an organization's usage. */
export type UsageEntry = {
  readonly organizationId: OrganizationId;
  readonly at: number;
  /** The change's position in its shard: `counter-store.ts` counts each once. */
  readonly sequence: string;
  readonly counts: Partial<UsageCounts>;
  /** Absent for the service's own sends. */
  readonly apiKeyId?: ApiKeyId | undefined;
  /** A send's tags, as `name:value`. */
  readonly tags?: readonly string[] | undefined;
  readonly delivery?: StreamedDelivery | undefined;
};

type RecordReading =
  | { readonly kind: 'counts'; readonly entry: UsageEntry }
  | { readonly kind: 'counts nothing' }
  | { readonly kind: 'unreadable'; readonly sequence: string | undefined };

/**
 * Six changes of the table count: SES accepts a send's message, SES accepts a further message, a send ends unsent, a
 * send gets its delivery or first open, an event is first stored as a separate item, and a bounce or complaint gets a
 * further recipient. A send's message and its `sent` event are one change: the send's own.
 */
export function readStreamRecord(record: unknown): RecordReading {
  const change = changeSchema.safeParse(record).data?.dynamodb;
  if (change === undefined) return { kind: 'unreadable', sequence: undefined };

  const sequence = change.SequenceNumber.padStart(maxSequenceDigits, '0');
  if (isOfTest(change.NewImage)) return { kind: 'counts nothing' };
  const delivery = change.Keys.sk.S === sendSortKey ? readDelivery(change) : undefined;
  const counted = readOccurrence(change);
  const occurrence =
    counted === 'counts nothing' && delivery ? { at: delivery.at, counts: {} } : counted;
  if (occurrence === 'counts nothing') return { kind: occurrence };

  const organizationId = organizationOfPartition(change.Keys.pk.S);
  if (occurrence === 'unreadable' || organizationId === undefined) {
    return { kind: 'unreadable', sequence };
  }
  const { at, counts, apiKey, tags }: Counted = occurrence;
  const apiKeyId = apiKey === undefined ? undefined : apiKeyIdOf(organizationId, apiKey);
  return {
    kind: 'counts',
    entry: { organizationId, at, sequence, counts, apiKeyId, tags, delivery },
  };
}

const testSchema = z.object({ test: z.object({ BOOL: z.literal(true) }) });

/** Whether this is a send, message or event of a test email, which SES never got. */
const isOfTest = (item: Change['NewImage']): boolean => testSchema.safeParse(item).success;

type Counted = {
  readonly at: number;
  readonly counts: Partial<UsageCounts>;
  /** The key's id without its organization. */
  readonly apiKey?: string | undefined;
  readonly tags?: readonly string[] | undefined;
};
type Occurrence = Counted | 'counts nothing' | 'unreadable';

function readOccurrence(change: Change): Occurrence {
  const { sk } = change.Keys;
  if (sk.S === sendSortKey) {
    if (messageIsNew(change)) return readSend(change);
    return endsUnsent(change) ? readUnsent(change) : readEvents(change);
  }
  if (sk.S.startsWith(messageSortKeyPrefix)) return readFurtherMessage(change);
  return sk.S.startsWith(eventSortKeyPrefix) ? readEvent(change) : 'counts nothing';
}

function messageIsNew({ NewImage, OldImage }: Change): boolean {
  const message = isSent(NewImage) ? messageIn(NewImage) : undefined;
  return message !== undefined && message !== messageIn(OldImage);
}

function readSend({ NewImage }: Change): Occurrence {
  const send = sentSchema.safeParse(NewImage).data;
  if (send === undefined) return 'unreadable';
  return {
    at: send.sentAt,
    apiKey: send.apiKey,
    tags: send.tags,
    counts: {
      sends: 1,
      sent: 1,
      recipients: recipientsOf(send),
      globalSends: send.endpoint === 'send-global' ? 1 : 0,
      attachments: send.attachmentCount ?? 0,
      attachmentBytes: send.attachmentBytes ?? 0,
    },
  };
}

/** A retry of a failed send stores nothing more, so only its first failure counts. What SES took counts as sent. */
function endsUnsent({ NewImage, OldImage }: Change): boolean {
  const after = unsentSchema.safeParse(NewImage).data;
  const isFirst = !isSent(OldImage) && !unsentSchema.safeParse(OldImage).success;
  return isFirst && after !== undefined && (after.attempts ?? 0) <= 1;
}

const readUnsent = ({ ApproximateCreationDateTime: storedAt }: Change): Occurrence =>
  storedAt === undefined ? 'counts nothing' : { at: storedAt * 1_000, counts: { unsent: 1 } };

/** A send's attributes say when its first events came. The claim of its next attempt keeps them, and counts nothing. */
function readEvents(change: Change): Occurrence {
  const { NewImage, OldImage } = change;
  if (NewImage === undefined || OldImage === undefined) return 'counts nothing';
  const events = eventsSchema.safeParse(NewImage).data;
  if (events === undefined) return 'unreadable';
  const isNew = (name: string) => NewImage[name] !== undefined && OldImage[name] === undefined;
  if (isStoredLate(change)) return 'counts nothing';
  const delivered = isNew('deliveredAt') ? events.deliveredAt : undefined;
  const opened = isNew('opens') ? (events.openedAt ?? events.machineOpenedAt) : undefined;
  const at = delivered ?? opened;
  if (at === undefined) return 'counts nothing';
  return {
    at,
    counts: {
      ...(delivered !== undefined && { delivered: 1 }),
      ...(opened !== undefined && { opened: 1 }),
    },
  };
}

function readFurtherMessage({ NewImage, OldImage }: Change): Occurrence {
  const isNew = NewImage !== undefined && OldImage === undefined;
  if (!isNew) return 'counts nothing';
  const message = z.pick(sentSchema, { sentAt: true }).safeParse(NewImage).data;
  return message === undefined ? 'unreadable' : { at: message.sentAt, counts: { sent: 1 } };
}

/** The email's recipients, minus those left out. */
const recipientsOf = ({
  moreTo = 0,
  cc = 0,
  bcc = 0,
  suppressedRecipients = 0,
}: z.output<typeof sentSchema>) => Math.max(1, 1 + moreTo + cc + bcc - suppressedRecipients);

/**
 * A repeated open or click only changes the stored event, so it counts nothing. A further recipient's bounce doesn't
 * count again, but the recipient does. An event stored after its expiry doesn't count.
 */
function readEvent(change: Change): Occurrence {
  const { NewImage, OldImage } = change;
  if (NewImage === undefined) return 'counts nothing';
  const event = eventSchema.safeParse(NewImage).data;
  if (event === undefined) return OldImage === undefined ? 'unreadable' : 'counts nothing';
  // A delay settles nothing: the delivery or bounce that follows counts.
  if (event.type === 'delayed') return 'counts nothing';
  if (isStoredLate(change)) return 'counts nothing';
  const before = OldImage && eventSchema.safeParse(OldImage).data;
  const counts: Partial<UsageCounts> = {
    ...(OldImage === undefined && { [event.type]: 1 }),
    ...softBounces(event, before),
    ...furtherRecipients(event, before),
  };
  return Object.keys(counts).length === 0 ? 'counts nothing' : { at: event.ts, counts };
}

const isSoft = (event: StoredEvent | undefined): boolean =>
  event?.type === 'bounced' && !isHardBounce(event.reason);

/** A soft bounce followed by a hard one of the same message is no longer soft. */
function softBounces(event: StoredEvent, before: StoredEvent | undefined): Partial<UsageCounts> {
  const change = Number(isSoft(event)) - Number(isSoft(before));
  return change === 0 ? {} : { softBounced: change };
}

/** A bounce or complaint without names had at least one recipient. */
function furtherRecipients(
  { type, recipients = 1 }: StoredEvent,
  before: StoredEvent | undefined,
): Partial<UsageCounts> {
  if (type !== 'bounced' && type !== 'complained') return {};
  const further = recipients - (before === undefined ? 0 : (before.recipients ?? 1));
  return further > 0 ? { [`${type}Recipients`]: further } : {};
}

const statusSent = z.object({ status: z.object({ S: z.literal('sent') }) });
const isSent = (item: Change['NewImage']): boolean => statusSent.safeParse(item).success;

const messageSchema = z.object({ providerMessageId: text });
const messageIn = (item: Change['NewImage']): string | undefined =>
  messageSchema.safeParse(item).data?.providerMessageId;

const unsentSchema = z.object({
  status: oneOf(unsentStatuses satisfies readonly SendStatus[]),
  attempts: lengthOfList,
});

const sentSchema = z.object({
  moreTo: lengthOfList,
  cc: lengthOfList,
  bcc: lengthOfList,
  suppressedRecipients: lengthOfList,
  sentAt: moment,
  // Absent for most sends, which are of `send`.
  endpoint: z.optional(oneOf(sendEndpoints)),
  apiKey: z.optional(z.pipe(text, z.string().check(z.regex(/^[a-z2-7]{16}$/)))),
  attachmentCount: z.optional(number),
  attachmentBytes: z.optional(number),
  // A send counts, whatever its tags are.
  tags: z.catch(z.optional(tagsOfMap), undefined),
});

const eventsSchema = z.object({
  deliveredAt: z.optional(moment),
  openedAt: z.optional(moment),
  machineOpenedAt: z.optional(moment),
});

const eventSchema = z.object({
  type: oneOf(eventTypes),
  ts: moment,
  reason: z.optional(text),
  recipients: lengthOfList,
});
type StoredEvent = z.output<typeof eventSchema>;

type StreamedDelivery = {
  readonly at: number;
  /** From SES's acceptance, measured with SES's clock and ours, so at least 0. */
  readonly tookMs: number;
};

function readDelivery(change: Change): StreamedDelivery | undefined {
  const { NewImage, OldImage } = change;
  const send = deliveredSchema.safeParse(NewImage).data;
  const isOfEarlierMessage = NewImage?.['deliveredOf'] !== undefined;
  const isNew = OldImage?.['deliveredAt'] === undefined && !isStoredLate(change);
  if (send === undefined || isOfEarlierMessage || !isNew) return undefined;
  const { deliveredAt, sentAt } = send;
  return { at: deliveredAt, tookMs: Math.max(0, deliveredAt - sentAt) };
}

const deliveredSchema = z.object({ deliveredAt: moment, sentAt: moment });
