import { describe, expect, it } from 'vitest';
import { openApiKeyStore } from '#shared/access/api-key-store';
import { openContactStore } from '#shared/contacts/contact-store';
import { readSesEvent } from '#shared/events/ses-event';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { parseSendRequest } from '#shared/sending/request/send-request';
import { sendEmail } from '#shared/sending/send-email';
import { openSendingStores } from '#shared/sending/sending';
import { openEventRecording, recordEvent } from '#shared/sends/record-event';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { contactIdOf, newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { forEachInParallel } from '../../support/in-parallel.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { buildSendBody } from '../../support/send-body-builder.ts';
import { fakeSending, sendingNow } from '../../support/sending-builder.ts';
import { buildSesEvent, buildSesMail, type SesEventType } from '../../support/ses-event-builder.ts';
import { testSeed } from '../../support/test-seed.ts';
import { unexpected } from '../../support/unexpected.ts';

const { table } = openMemoryTable();

/** What becomes of an email. */
const fates = ['arrives', 'bounces', 'is complained of', 'is read'] as const;
type Fate = (typeof fates)[number];

const reportedOf: Readonly<Record<Fate, readonly SesEventType[]>> = {
  arrives: ['Send', 'Delivery'],
  bounces: ['Send', 'Bounce'],
  'is complained of': ['Send', 'Delivery', 'Complaint'],
  'is read': ['Send', 'Delivery', 'Open', 'Click'],
};

type Event = ReturnType<typeof readSesEvent>;

const record = (event: Event) =>
  recordEvent(event, { ...openEventRecording(table, 90), now: () => sendingNow });

async function openOrganization(hasWebhooks: boolean) {
  const id = newOrganizationId();
  const endpoint = () => [newWebhookId(id), { eventTypes: [] }];
  const webhooks = hasWebhooks ? Object.fromEntries([endpoint(), endpoint()]) : {};
  const { text: credential, apiKey } = buildApiKey({ organizationId: id });
  await openOrganizationStore(table).put(buildOrganization({ id, webhooks }));
  await openApiKeyStore(table).put(apiKey);
  return { id, credential };
}
type Owner = Awaited<ReturnType<typeof openOrganization>>;

/** Sends an email with this fate. `whenTaken` runs between SES's acceptance and its answer, before the commit. */
async function send(owner: Owner, fate: Fate, whenTaken: (events: Event[]) => Promise<void>) {
  const to = `${crypto.randomUUID()}@example.com`;
  const messageId = `message to ${to}`;
  const { sending } = fakeSending(
    {},
    {
      ...openSendingStores(table),
      callProvider: async ({ feedbackId }) => {
        await whenTaken(eventsOf(fate, to, messageId, feedbackId));
        return { kind: 'accepted', providerMessageId: messageId };
      },
    },
  );
  const { response } = await sendEmail(
    {
      endpoint: 'send',
      credential: owner.credential,
      request: parseSendRequest(buildSendBody({ to }), to),
      log: recordLog().log,
      readBody: unexpected('readBody'),
      onKey: () => {},
      onRateLimit: () => {},
      onAttachments: () => {},
    },
    sending,
  );
  return { owner, fate, to, messageId, sendId: response.sendId };
}
type Sent = Awaited<ReturnType<typeof send>>;

function eventsOf(fate: Fate, to: string, messageId: string, feedbackId: string): Event[] {
  const tags = { 'feedback-id': [feedbackId] };
  const mail = buildSesMail({ messageId, destination: [to], tags });
  const recipients = [{ emailAddress: to }];
  const timestamp = '2026-01-02T03:04:08.000Z';
  const bounce = { bounceType: 'Permanent', bounceSubType: 'General', timestamp };
  const details = {
    bounce: { ...bounce, bouncedRecipients: recipients },
    complaint: { timestamp, complainedRecipients: recipients, complaintFeedbackType: 'abuse' },
  };
  return reportedOf[fate].map((type) => readSesEvent(buildSesEvent(type, { mail, ...details })));
}

/** All that events can change, without what differs from send to send: ids, and when the send was settled. */
async function outcomeOf({ owner, to, messageId, sendId }: Sent) {
  const timeline = await openTimelineStore(table).read(sendId, sendingNow);
  const contact = await openContactStore(table).get(contactIdOf(owner.id, to));
  const isThis = (id: string | undefined) => id === messageId;
  return {
    status: timeline?.send.status,
    messages: timeline?.messages.map(({ providerMessageId }) => isThis(providerMessageId)),
    events: timeline?.events.map(({ type, reason, providerMessageId }) => ({
      type,
      reason,
      isThisMessage: isThis(providerMessageId),
    })),
    // In the order they were written, which is the order of arrival.
    deliveries: timeline?.deliveries.map(({ type }) => type).toSorted(),
    isSuppressed: contact?.bounce !== undefined || contact?.complaint !== undefined,
  };
}

/** What becomes of each fate when every event comes once, in its order, after the commit. */
async function cleanRun(owner: Owner) {
  const outcomes = new Map<Fate, unknown>();
  for (const fate of fates) {
    const events: Event[] = [];
    const sent = await send(owner, fate, async (all) => void events.push(...all));
    for (const event of events) await record(event);
    outcomes.set(fate, await outcomeOf(sent));
  }
  return { owner, outcomes };
}

const threeTimes = (events: readonly Event[]) => [...events, ...events, ...events];

describe('the events of 200 sends, each delivered three times in random order', () => {
  it('have the outcome of a clean run, also when some come before the commit', async () => {
    const random = createSeededRandom(testSeed);
    // An outbox row would keep a duplicate out too, hence also an organization without a webhook.
    const silent = await cleanRun(await openOrganization(false));
    const told = await cleanRun(await openOrganization(true));
    const late: Event[] = [];
    let early = 0;
    const deliverSome = async (events: Event[]) => {
      const isEarly = events.map(() => random.next() < 0.3);
      const before = events.filter((_, index) => isEarly[index]);
      late.push(...events.filter((_, index) => !isEarly[index]));
      early += before.length;
      await forEachInParallel(random.shuffle(threeTimes(before)), 3, record);
    };

    const planned = [silent, told].flatMap((run) =>
      Array.from({ length: 25 }).flatMap(() => fates.map((fate) => ({ run, fate }))),
    );
    const sends = await forEachInParallel(random.shuffle(planned), 10, async ({ run, fate }) => ({
      sent: await send(run.owner, fate, deliverSome),
      expected: run.outcomes.get(fate),
    }));
    await forEachInParallel(random.shuffle(threeTimes(late)), 10, record);

    expect(told.outcomes.get('is complained of')).toEqual({
      status: 'sent',
      messages: [true],
      events: ['sent', 'delivered', 'complained'].map((type) =>
        expect.objectContaining({ type, isThisMessage: true }),
      ),
      deliveries: ['complained', 'complained', 'delivered', 'delivered', 'sent', 'sent'].map(
        (type) => `email.${type}`,
      ),
      isSuppressed: true,
    });
    expect(early + late.length).toBe(50 * (2 + 2 + 3 + 4));
    expect(early).toBeGreaterThan(0);
    for (const { sent, expected } of sends) expect(await outcomeOf(sent)).toEqual(expected);
  });
});
