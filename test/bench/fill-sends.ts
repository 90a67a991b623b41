import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Send } from '#shared/sending/send';
import { toSendItem } from '#shared/sending/send-items';
import { eventKey, outcomeIndexKey } from '#shared/table/send-keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type OrganizationId, slotIdIn } from '#shared/tokens/resource-id';
import { buildSend, newSendId, type SendGiven } from '../support/send-builder.ts';
import { sesMessageId } from '../support/ses-event-builder.ts';
import { typicalEmail, typicalSender } from './sends.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Words of which one email each is told. */
export const needles = [
  { word: 'needle-of-minutes', ageMs: 20 * minuteMs },
  { word: 'needle-of-yesterday', ageMs: 1.5 * dayMs },
] as const;

const batchSize = 25;
const batchesAtOnce = 12;

/**
 * Stores an organization's emails of 30 days, up to 50,000 on each of the last two, as settled sends with their events.
 * They're written as the code writes them, but not through it.
 */
export async function fillSends(
  table: Table,
  organizationId: OrganizationId,
  count: number,
  now: number,
): Promise<void> {
  const lately = Math.min(100_000, Math.ceil(count / 2));
  const ageOf = (index: number) =>
    index < lately
      ? (index / lately) * 2 * dayMs
      : 2 * dayMs + ((index - lately) / (count - lately)) * 28 * dayMs;
  const items = function* () {
    for (const { word, ageMs } of needles) {
      yield* itemsOf(organizationId, 0, now - ageMs, { subject: `A ${word} for you` });
    }
    for (let index = 0; index < count; index += 1) {
      yield* itemsOf(organizationId, index, Math.floor(now - ageOf(index)));
    }
  };
  await writeAll(table, items());
}

/** As a shop's emails end: some thousandths failed, a hundredth bounced, a third was opened. */
function outcomeAt(index: number, at: number): SendGiven {
  const messageId = sesMessageId(at);
  const sent = { status: 'sent', providerMessageId: messageId, sentAt: at + 300 } as const;
  const kind = index % 1_000;
  if (kind < 3) return { status: 'suppressed' };
  if (kind === 3) {
    return {
      status: 'failed',
      attempts: [{ attempt: 1, at: at + 300, reason: 'MessageRejected' }],
    };
  }
  if (kind < 14) return { ...sent, firstBounceAt: at + 2_000 };
  const delivered = { ...sent, deliveredAt: at + 2_000 };
  if (kind < 350) return { ...delivered, opens: 1, openedAt: at + 10 * minuteMs };
  return delivered;
}

function* itemsOf(
  organizationId: OrganizationId,
  index: number,
  at: number,
  given: SendGiven = {},
): Generator<StoredItem> {
  const send = buildSend({
    id: newSendId(organizationId),
    claimedAt: at,
    fromEmail: typicalSender,
    toEmail: `${'annabencarldoraemil'.slice(index % 15, (index % 15) + 4)}.${index}@mail.example.com`,
    subject: typicalEmail.subject.replace('10492', `${index}`),
    tags: { kind: index % 50 === 0 ? 'reset' : 'receipt' },
    ...outcomeAt(index, at),
    ...given,
  });
  yield toSendItem(send);
  if (send.firstBounceAt !== undefined) yield bounceOf(send, send.firstBounceAt);
}

function bounceOf({ id, providerMessageId = '', expiresAt }: Send, ts: number): StoredItem {
  const event = { type: 'bounced', ts, providerMessageId, reason: 'Permanent/General' };
  return {
    ...eventKey(slotIdIn(id), event.type, providerMessageId),
    ...event,
    ...outcomeIndexKey(slotIdIn(id), 'bounced', ts),
    expiresAt,
  };
}

async function writeAll(table: Table, items: Iterator<StoredItem>): Promise<void> {
  const writer = async () => {
    for (;;) {
      const batch = take(items, batchSize);
      if (batch.length === 0) return;
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, writer));
}

function take<Item>(items: Iterator<Item>, count: number): Item[] {
  const taken: Item[] = [];
  while (taken.length < count) {
    const { value, done } = items.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}
