import { describe, expect, it } from 'vitest';
import { ensureContact } from '#shared/contacts/contact-store';
import { readSesEvent } from '#shared/events/ses-event';
import { putOrganization } from '#shared/organizations/organization-store';
import { unsubscribeContact } from '#shared/preferences/contact-outbox';
import { recordEngagement } from '#shared/send-history/record-engagement';
import { recordEvent } from '#shared/send-history/record-event';
import type { Send } from '#shared/sending/send';
import { commitAcceptance } from '#shared/sending/send-store';
import { sentEventOf, webhookEventOf } from '#shared/sending/send-webhook-event';
import type { Table } from '#shared/table/table-client';
import { newDeliveryId } from '#shared/tokens/delivery-id';
import { contactIdOf, newWebhookId } from '#shared/tokens/resource-id';
import { clickOf, openOf } from '#shared/tracking/engagement';
import { claimDelivery, settleDelivery } from '#shared/webhook-deliveries/attempt-store';
import { type Delivery, redeliveryOf } from '#shared/webhook-deliveries/delivery';
import { createDeliveries, getDelivery } from '#shared/webhook-deliveries/delivery-store';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import { storeFirstRedelivery, storeRedelivery } from '#shared/webhook-deliveries/redelivery-store';
import { endpoint as eraseContact } from '../../../functions/erase-contact/erase-contact.ts';
import { claimNow, claimSend } from '../../support/claim-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { keysOfThoseHolding, wholeTableInMemory } from '../../support/organization-items.ts';
import { ann, buildEmail, erasedAt } from '../../support/recipient-builder.ts';
import { buildSesEvent, buildSesMail, type SesEventType } from '../../support/ses-event-builder.ts';
import { surroundings } from '../../support/surroundings.ts';
import { takingTurns } from '../../support/turns.ts';
import { requestToErase, storesOn } from './known-person.ts';

/** What a process works with. All of it was there before the person was erased. */
type Scene = { readonly send: Send; readonly row: Delivery; readonly attempted: Delivery };
type Writer = (table: Table, scene: Scene) => Promise<unknown>;

const hour = 3_600_000;
const acceptance = { providerMessageId: 'message-1', at: claimNow + 500 };
const quoting = `550 no ${ann} here`;

const recordings = (table: Table) => ({
  table,
  sendRetentionDays: 90,
  now: () => erasedAt + hour,
  wakeQueue: async () => {},
});

/** The link names Ann. */
const click: Writer = (table, { send: { feedbackId } }) => {
  const destination = `https://example.com/people/${ann}/receipts`;
  return recordEngagement(clickOf({ feedbackId, destination }), hit, recordings(table));
};

const telling =
  (type: SesEventType, details: object = {}): Writer =>
  (table, { send }) => {
    const mail = buildSesMail({
      messageId: acceptance.providerMessageId,
      destination: [ann],
      tags: { 'feedback-id': [send.feedbackId] },
    });
    return recordEvent(readSesEvent(buildSesEvent(type, { mail, ...details })), recordings(table));
  };

const timestamp = new Date(claimNow + 900).toISOString();
const bounce = {
  timestamp,
  bounceType: 'Permanent',
  bounceSubType: 'General',
  bouncedRecipients: [{ emailAddress: ann, diagnosticCode: quoting }],
};

const hit = { at: claimNow + 2_000, isMachine: false };

type LateWriter = readonly [
  name: string,
  state: 'settled' | 'in doubt',
  write: Writer,
  endpoints?: 'no endpoint',
];

/**
 * What may hold the address in memory, the send that it's about, and whether the organization has an endpoint that
 * wants all events.
 */
const writers: readonly LateWriter[] = [
  ['a Delivery event', 'in doubt', telling('Delivery')],
  ['a Bounce event', 'settled', telling('Bounce', { bounce })],
  ['a Send event', 'settled', telling('Send')],
  ['a Send event', 'in doubt', telling('Send')],
  [
    'a request that commits',
    'in doubt',
    async (table, { send }) => {
      const event = sentEventOf(send, acceptance);
      await Promise.all([
        ensureContact(table, sendOwner(send), ann, send.claimedAt),
        commitAcceptance(table, send, acceptance, rowsAbout(send, event)),
      ]);
    },
  ],
  [
    'a hit of the pixel',
    'settled',
    (table, { send }) => recordEngagement(openOf(send.feedbackId), hit, recordings(table)),
  ],
  ['a click', 'settled', click],
  ['a click that no endpoint wants to hear of', 'settled', click, 'no endpoint'],
  [
    'a redelivery',
    'settled',
    async (table, { row }) => {
      for (;;) {
        const original = await getDelivery(table, row.id, claimNow);
        if (original === undefined) return;
        const copy = redeliveryOf(original, newDeliveryId(row.id), claimNow);
        if ((await storeRedelivery(table, original, copy)) === 'stored') return;
      }
    },
  ],
  [
    'a redelivery of all that failed',
    'settled',
    (table, { attempted }) => {
      const copy = redeliveryOf(attempted, newDeliveryId(attempted.id), claimNow);
      return storeFirstRedelivery(table, attempted, copy);
    },
  ],
  [
    'an attempt at a webhook whose receiver quotes the address',
    'settled',
    async (table, { row }) => {
      const claimed = await claimDelivery(table, row.id, 'first', claimNow + 1_000);
      if (claimed === undefined) return;
      const answer = claimed.body.includes(ann) ? quoting : 'ok';
      const attempts = [{ at: claimNow, durationMs: 9, statusCode: 500, answer }];
      const outcome = { status: 'pending', attempts, dueAt: claimNow + hour } as const;
      await settleDelivery(table, claimed, outcome, claimNow);
    },
  ],
  [
    'an unsubscription',
    'settled',
    (table, { send }) => {
      const contact = { id: contactIdOf(sendOwner(send), ann), email: ann };
      const now = () => claimNow + 2_000;
      const wakeWebhooks = async () => {};
      return unsubscribeContact(contact, { table, now, wakeWebhooks, sendRetentionDays: 90 });
    },
  ],
];

const manager = buildManager();
const sendOwner = (_: Send) => manager.organizationId;
const endpoint = newWebhookId(manager.organizationId);
const webhooks = { [endpoint]: { eventTypes: [] } };

const rowsAbout = (send: Send, event: Parameters<typeof deliveriesOf>[0]): Delivery[] =>
  deliveriesOf(event, { parent: send.feedbackId, expiresAt: send.expiresAt }, webhooks, event.at);

/** An email to Ann, a delivery that is due and one that failed; and who erases her. */
async function prepare([, state, , endpoints]: LateWriter, query: { readonly sends?: 'true' }) {
  const { table, open, readItems } = wholeTableInMemory();
  if (open === undefined) throw new Error('The table cannot be opened again');
  const { organizationId } = manager;
  await putOrganization(
    table,
    buildOrganization({ id: organizationId, webhooks: endpoints ? {} : webhooks }),
  );
  const claim = buildEmail(organizationId, { cc: [], bcc: [], hasNewRecipients: true });
  await claimSend(table, claim);
  const settled =
    state === 'settled' ? (await commitAcceptance(table, claim, acceptance, [])).send : claim;
  const deliveriesBefore = (ts: number): Delivery[] =>
    rowsAbout(settled, webhookEventOf(settled, { type: 'opened', ts, machine: ts === 1 }));
  const [row] = deliveriesBefore(claimNow);
  const [other] = deliveriesBefore(1);
  if (row === undefined || other === undefined) throw new Error('Nothing is reported');
  const attempted: Delivery = {
    ...other,
    status: 'failed',
    attempts: [{ at: claimNow, durationMs: 9, statusCode: 500, answer: quoting }],
    attemptsStarted: 1,
  };
  await createDeliveries(table, [row, attempted]);
  const erase = (on: Table) =>
    eraseContact.run(
      { ...surroundings, ...requestToErase(manager), query },
      { now: () => erasedAt, ...storesOn(on) },
    );
  return {
    scene: { send: settled, row, attempted },
    open,
    erase: (on = table) => erase(on),
    keysHoldingAnn: async () => keysOfThoseHolding(await readItems(organizationId), ann),
  };
}

/** Calls of the writer before the erasure begins, and of the erasure before the writer goes on. */
type Interleaving = { readonly writes: number; readonly erases: number; readonly dies: boolean };

async function interleave(
  writer: LateWriter,
  query: { readonly sends?: 'true' },
  { writes, erases, dies }: Interleaving,
) {
  const { scene, open, erase, keysHoldingAnn } = await prepare(writer, query);
  const [, , write] = writer;
  const first = takingTurns((table) => write(table, scene), open);
  await first.proceed(writes);
  const eraser = takingTurns(erase, open);
  await eraser.proceed(erases);
  const second = dies ? takingTurns((table) => write(table, scene), open) : first;
  await second.proceed();
  await eraser.proceed();
  await second.proceed();
  return {
    left: await keysHoldingAnn(),
    endings: [second.ending(), eraser.ending()].map((ending) => ending?.status),
    writerMade: first.made(),
    eraserMade: eraser.made(),
  };
}

/** An event that was not recorded comes again. */
const isRepeated = (name: string) => name.endsWith('event');

describe.each(writers.map((writer) => ({ writer, name: writer[0], state: writer[1] })))(
  'an erasure and $name of a send $state',
  ({ writer }) => {
    it.each([
      { query: {}, dies: false },
      { query: { sends: 'true' } as const, dies: false },
      ...(isRepeated(writer[0]) ? [{ query: {}, dies: true }] : []),
    ])(
      'leave the address nowhere, however they meet: $query, the first process dies: $dies',
      async ({ query, dies }) => {
        const whole = await interleave(writer, query, { writes: 99, erases: 0, dies: false });
        const met: string[] = [];

        // What is left out is one after the other, which `whole` is.
        for (let writes = dies ? 1 : 0; writes < whole.writerMade + Number(dies); writes += 1) {
          for (let erases = dies ? 0 : 1; erases <= whole.eraserMade; erases += 1) {
            const outcome = await interleave(writer, query, { writes, erases, dies });
            expect(outcome.endings).toEqual(['fulfilled', 'fulfilled']);
            if (outcome.left.length > 0) met.push(`${writes}, ${erases}: ${outcome.left}`);
          }
        }

        expect(whole.writerMade).toBeGreaterThan(0);
        expect(met).toEqual([]);
      },
    );
  },
);
