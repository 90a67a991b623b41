import { randomUUID } from 'node:crypto';
import { openTable } from '#shared/table/table-client';
import type { StackDescription } from '../../infra/local/stack.ts';
import type { SesEventType } from '../support/ses-event-builder.ts';
import {
  openEmail,
  postEmail,
  postSend,
  putTypicalOrganization,
  reportBounce,
  reportEvent,
  typicalEmail,
} from './sends.ts';

/** What a caller or SES does that costs calls to the table. */
export type Scenario = {
  readonly what: string;
  readonly maxInARow?: number;
  readonly maxWriteUnits?: number;
  readonly maxCalls?: number;
  /** Of all items that it changes, together. */
  readonly maxStoredBytes?: number;
  /** Whether a second run costs the same as the first. */
  readonly isRepeatable?: boolean;
  readonly run: () => Promise<unknown>;
};

/** The scenarios, in the order in which each finds the items that the ones before have written. */
export async function tableScenarios(stack: StackDescription): Promise<Scenario[]> {
  const { baseUrl } = stack;
  const table = openTable(stack.tableName);
  const plain = await putTypicalOrganization(table);
  const capped = await putTypicalOrganization(table, { perMinuteCap: 1_000 });
  const cappedByDay = await putTypicalOrganization(table, { dailyCap: 1_000 });
  const subscribed = await putTypicalOrganization(table, { eventTypes: ['email.sent'] });
  const send = (options: Parameters<typeof postSend>[2], key = plain.sendKey) =>
    postSend(baseUrl, key, { email: typicalEmail, ...options });
  const withKey = () => ({ idempotencyKey: randomUUID() });
  const toStranger = () => ({ email: { ...typicalEmail, to: `${randomUUID()}@example.com` } });
  const toGone = { email: { ...typicalEmail, to: 'gone@mail.example.com' } };

  const replayed = withKey();
  const first = await send({});
  const sent = await send(replayed);
  for (const { sendKey } of [capped, cappedByDay, subscribed]) await send(withKey(), sendKey);
  const bounced = await send(toGone);

  const report = (type: SesEventType, of = sent) => reportEvent(baseUrl, type, of);
  const read = (headers: Record<string, string>) =>
    expectOk(fetch(`${baseUrl}/api/v1/sends/${sent.sendId}`, { headers }));
  const runStory = async () => {
    const story = await send(withKey());
    await reportEvent(baseUrl, 'Send', story);
    await reportEvent(baseUrl, 'Delivery', story);
    await openEmail(baseUrl, story);
  };

  return [
    {
      what: 'Send with idempotency key, known contact',
      ...perSend,
      maxWriteUnits: 4,
      run: () => send(withKey()),
    },
    {
      what: 'Send with idempotency key, known contact, one `email.sent` subscriber',
      ...perSend,
      maxWriteUnits: 9,
      run: () => send(withKey(), subscribed.sendKey),
    },
    {
      what: 'Send with idempotency key, first contact',
      ...perSend,
      maxWriteUnits: 6,
      run: () => send({ ...withKey(), ...toStranger() }),
    },
    {
      what: 'Send with idempotency key and rate cap, known contact',
      maxInARow: 4,
      maxWriteUnits: 5,
      run: () => send(withKey(), capped.sendKey),
    },
    {
      what: 'Send with idempotency key and daily cap, known contact',
      maxInARow: 4,
      maxWriteUnits: 5,
      run: () => send(withKey(), cappedByDay.sendKey),
    },
    {
      what: 'Send without key, known contact',
      ...perSend,
      maxWriteUnits: 4,
      run: () => send({}),
    },
    {
      what: 'Send without key, first contact',
      ...perSend,
      maxWriteUnits: 6,
      run: () => send(toStranger()),
    },
    {
      what: 'Replay of a send',
      maxInARow: 2,
      maxWriteUnits: 1,
      run: () => send(replayed),
    },
    {
      what: 'Event Send, for a send that is settled',
      maxInARow: 1,
      maxWriteUnits: 0,
      run: () => report('Send'),
    },
    {
      what: 'Event Send, for a send that is settled, first contact',
      maxInARow: 2,
      maxWriteUnits: 0,
      run: () => report('Send', first),
    },
    { what: 'Event Delivery', ...perEvent, run: () => report('Delivery') },
    {
      what: 'Event Delivery, repeated',
      maxInARow: 1,
      maxWriteUnits: 0,
      run: () => report('Delivery'),
    },
    {
      what: 'Event Bounce, permanent',
      // What the send says of it, and the list of bounces, cost one unit each.
      maxInARow: 5,
      maxWriteUnits: 8,
      run: () => reportBounce(baseUrl, bounced, toGone.email.to),
    },
    {
      what: 'Send with idempotency key, suppressed address',
      maxInARow: 2,
      // The third index entry is that of its outcome.
      maxWriteUnits: 4,
      run: () => postEmail(baseUrl, plain.sendKey, { ...withKey(), ...toGone }),
    },
    { what: 'First open', maxInARow: 2, maxWriteUnits: 1, run: () => openEmail(baseUrl, sent) },
    {
      what: 'Send with idempotency key, its Send and Delivery, one open, all told',
      maxWriteUnits: 6,
      maxStoredBytes: 1_400,
      run: runStory,
    },
    { what: 'Timeline read by id', maxInARow: 1, maxCalls: 2, run: () => read({}) },
    {
      what: 'Timeline read with API key',
      // The key comes first.
      maxInARow: 2,
      run: () => read({ authorization: `Bearer ${plain.readKey}` }),
    },
  ];
}

/** The read of the context and two round trips. */
const perSend = { maxInARow: 3, isRepeatable: true } as const;
const perEvent = { maxInARow: 2, maxWriteUnits: 1 } as const;

async function expectOk(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
  return response;
}
