import { describe, expect, it } from 'vitest';
import { ensureContact, getContact } from '#shared/contacts/contact-store';
import { readSesEvent } from '#shared/events/ses-event';
import { putOrganization } from '#shared/organizations/organization-store';
import { recordEvent } from '#shared/send-history/record-event';
import { getTimeline } from '#shared/send-history/timeline-store';
import type { Send } from '#shared/sending/send';
import { getKeyedSend } from '#shared/sending/send-store';
import { deliveriesOfContact } from '#shared/table/delivery-keys';
import { queryAll } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import {
  contactIdOf,
  newOrganizationId,
  newWebhookId,
  type OrganizationId,
  slotIdIn,
} from '#shared/tokens/resource-id';
import { toDelivery } from '#shared/webhook-deliveries/delivery-store';
import { buildClaim, claimNow as claimedAt, claimSend } from '../../support/claim-builder.ts';
import { dyingTable, interceptWrites } from '../../support/disturbed-table.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { leaseMs } from '../../support/send-builder.ts';
import { buildSesEvent, buildSesMail, type SesEventType } from '../../support/ses-event-builder.ts';

const { table, open } = openMemoryTable();
const eventAt = claimedAt + 60_000;
const leaseEnd = claimedAt + leaseMs;

/** A send in doubt to Ann, in an organization with two webhook endpoints. */
async function storeInDoubt(overrides: Partial<Send> = {}) {
  const organizationId = newOrganizationId();
  const webhooks = {
    [newWebhookId(organizationId)]: { eventTypes: [] },
    [newWebhookId(organizationId)]: { eventTypes: [] },
  };
  await putOrganization(table, buildOrganization({ id: organizationId, webhooks }));
  const send = buildClaim({ organizationId, claimedAt, ...overrides });
  await claimSend(table, send);
  return { organizationId, send, messageId: `message-of-${send.id}` };
}

type World = Awaited<ReturnType<typeof storeInDoubt>>;

const mailOf = ({ send, messageId }: World) =>
  buildSesMail({
    messageId,
    destination: ['ann@example.com', 'bob@example.com'],
    tags: { 'feedback-id': [send.feedbackId] },
  });

const factOf = (world: World, type: SesEventType, details: object = {}) =>
  readSesEvent(buildSesEvent(type, { mail: mailOf(world), ...details }));

const bouncedFor = (...addresses: readonly string[]) => ({
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: addresses.map((emailAddress) => ({ emailAddress })),
    timestamp: '2026-01-02T03:04:08.000Z',
  },
});

type Fact = ReturnType<typeof factOf>;

const record = (fact: Fact, on: Table = table, now = eventAt) =>
  recordEvent(fact, { table: on, now: () => now, sendRetentionDays: 90 });

/** What a retry gets after the send's lease. */
const retryLate = ({ organizationId }: World) =>
  claimSend(table, buildClaim({ organizationId, claimedAt: leaseEnd }));

const contactOf = (organizationId: OrganizationId, identity: string) =>
  getContact(table, contactIdOf(organizationId, identity));

/** The webhook messages about the address itself. */
const reportsAbout = async (organizationId: OrganizationId, identity: string) =>
  (await queryAll(table, deliveriesOfContact(contactIdOf(organizationId, identity)))).map(
    toDelivery,
  );

/** Everything that events can change. */
async function outcomeOf({ organizationId, send, messageId }: World) {
  const timeline = await getTimeline(table, send.id, eventAt);
  const people = ['ann@example.com', 'bob@example.com'];
  const contacts = await Promise.all(people.map((one) => contactOf(organizationId, one)));
  const reports = await Promise.all(people.map((one) => reportsAbout(organizationId, one)));
  return {
    status: timeline?.send.status,
    attempts: timeline?.send.attempts.map(({ reason }) => reason),
    isThisMessage: timeline?.send.providerMessageId === messageId,
    messages: timeline?.messages.length,
    events: timeline?.events.map(({ type, ts, reason, recipients }) => ({
      type,
      ts,
      reason,
      recipients,
    })),
    deliveries: timeline?.deliveries.map(({ type }) => type).toSorted(),
    reports: reports.flat().map(({ type }) => type),
    suppressed: contacts.map((contact) => [
      contact?.bounce !== undefined,
      contact?.complaint !== undefined,
    ]),
  };
}

type Outcome = Awaited<ReturnType<typeof outcomeOf>>;

const eventTypes = [
  'Send',
  'DeliveryDelay',
  'Delivery',
  'Bounce',
  'Complaint',
  'Open',
  'Click',
] as const;

describe('a send in doubt', () => {
  it.each(eventTypes)('is settled by %s, so that no retry sends again', async (type) => {
    const world = await storeInDoubt();

    await record(factOf(world, type));

    const { send, messageId } = world;
    expect(await retryLate(world)).toEqual({
      kind: 'replay',
      response: { sendId: send.id, status: 'sent', messageId },
    });
    const timeline = await getTimeline(table, send.id, eventAt);
    expect(timeline?.messages).toMatchObject([
      { providerMessageId: messageId, createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678) },
    ]);
    expect(timeline?.events[0]?.type).toBe('sent');
    expect(await contactOf(world.organizationId, 'ann@example.com')).toBeDefined();
  });

  it('fails by Reject, even when Send comes after it', async () => {
    const world = await storeInDoubt();

    await record(factOf(world, 'Reject'));
    await record(factOf(world, 'Send'));

    expect(await outcomeOf(world)).toMatchObject({
      status: 'failed',
      attempts: ['Bad content'],
      messages: 1,
      deliveries: ['email.failed', 'email.failed', 'email.sent', 'email.sent'],
    });
    expect(await retryLate(world)).toMatchObject({
      kind: 'claimed',
      send: { id: world.send.id, attempt: 2 },
    });
  });
});

describe('a settled send', () => {
  it('costs one write for a Delivery event, and one more per subscribed endpoint', async () => {
    const world = await storeInDoubt();
    await record(factOf(world, 'Send'));
    let writes = 0;
    const counted = interceptWrites((write) => {
      writes = write;
    }, open);

    const outcome = await record(factOf(world, 'Delivery'), counted);

    expect(outcome).toMatchObject({ deliveries: [{}, {}] });
    expect(writes).toBe(1 + 2);
  });
});

describe('recording an event in a process that dies', () => {
  const details = bouncedFor('ann@example.com', 'bob@example.com');
  const cases: readonly (readonly [SesEventType, object, readonly string[]])[] = [
    ['Send', {}, ['email.sent', 'email.sent']],
    ['Reject', {}, ['email.failed', 'email.failed', 'email.sent', 'email.sent']],
    ['DeliveryDelay', {}, ['email.delayed', 'email.delayed', 'email.sent', 'email.sent']],
    ['Delivery', {}, ['email.delivered', 'email.delivered', 'email.sent', 'email.sent']],
    ['Bounce', details, ['email.bounced', 'email.bounced', 'email.sent', 'email.sent']],
  ];

  it.each(cases)(
    'at any step of %s is completed when the event is retried',
    async (type, fields, deliveries) => {
      const undisturbed = await storeInDoubt();
      await record(factOf(undisturbed, type, fields));
      const expected = await outcomeOf(undisturbed);

      const outcomes: Outcome[] = [];
      for (let write = 1, isOver = false; !isOver; write += 1) {
        const world = await storeInDoubt();
        const dying = record(factOf(world, type, fields), dyingTable(write, open));
        const [run] = await Promise.allSettled([dying]);
        // A recorded event means that all its effects are stored.
        const left = await outcomeOf(world);
        if (left.events?.some((event) => event.type !== 'sent')) expect(left).toEqual(expected);
        await record(factOf(world, type, fields));
        outcomes.push(await outcomeOf(world));
        isOver = run.status === 'fulfilled';
      }

      expect(expected.deliveries).toEqual(deliveries);
      expect(outcomes.length).toBeGreaterThan(2);
      expect(outcomes).toEqual(outcomes.map(() => expected));
    },
  );
});

describe('events in any order, repeated and concurrent', () => {
  it('produce the same timeline, webhooks and suppressions', async () => {
    const random = createSeededRandom(9);
    const timelines: Outcome[] = [];
    for (let round = 0; round < 8; round += 1) {
      const world = await storeInDoubt();
      const facts = [
        factOf(world, 'Send'),
        factOf(world, 'DeliveryDelay'),
        factOf(world, 'Delivery'),
        factOf(world, 'Bounce', bouncedFor('ann@example.com')),
        factOf(world, 'Bounce', bouncedFor('bob@example.com')),
        factOf(world, 'Complaint'),
      ];
      const shuffled = random.shuffle([...facts, ...facts]);
      if (round % 2 === 0) await Promise.all(shuffled.map((fact) => record(fact)));
      else for (const fact of shuffled) await record(fact);
      timelines.push(await outcomeOf(world));
    }

    expect(timelines).toEqual(timelines.map(() => timelines[0]));
    expect(timelines[0]).toMatchObject({
      status: 'sent',
      isThisMessage: true,
      messages: 1,
      events: [
        { type: 'sent' },
        { type: 'delivered' },
        {
          type: 'bounced',
          recipients: [{ email: 'ann@example.com' }, { email: 'bob@example.com' }],
        },
        { type: 'complained', recipients: [{ email: 'ann@example.com' }] },
        { type: 'delayed', recipients: [{ email: 'ann@example.com' }] },
      ],
      // Two endpoints get each event, and each recipient's bounce.
      deliveries: ['bounced', 'bounced', 'bounced', 'bounced', 'complained', 'complained']
        .concat(['delayed', 'delayed', 'delivered', 'delivered', 'sent', 'sent'])
        .map((type) => `email.${type}`),
      // And Ann's bounce and complaint, and Bob's bounce.
      reports: Array.from({ length: 2 * 3 }, () => 'suppression.added'),
      suppressed: [
        [true, true],
        [true, false],
      ],
    });
  });
});

describe('events of an expired send', () => {
  const expiresAt = claimedAt / 1000 + 3_600;
  const later = expiresAt * 1000;

  it('suppress only addresses that its organization still knows', async () => {
    const world = await storeInDoubt({ expiresAt });
    const { organizationId } = world;
    await ensureContact(table, organizationId, 'ann@example.com', claimedAt);
    const fact = factOf(world, 'Bounce', bouncedFor('ann@example.com', 'bob@example.com'));

    const outcome = await record(fact, table, later);

    expect(outcome).toMatchObject({
      kind: 'ignored',
      deliveries: [{ type: 'suppression.added' }, { type: 'suppression.added' }],
    });
    expect(await reportsAbout(organizationId, 'ann@example.com')).toHaveLength(2);
    expect(await contactOf(organizationId, 'ann@example.com')).toMatchObject({
      bounce: { at: Date.parse('2026-01-02T03:04:08.000Z') },
    });
    expect(await contactOf(organizationId, 'bob@example.com')).toBeUndefined();
  });

  it('leave the send that now has its slot alone', async () => {
    const world = await storeInDoubt({ expiresAt });
    await record(factOf(world, 'Send'));
    const { organizationId } = world;
    const outcome = await claimSend(table, buildClaim({ organizationId, claimedAt: later }));
    if (outcome.kind !== 'claimed') throw new Error('not claimed');

    for (const type of eventTypes) await record(factOf(world, type), table, later);

    const slotId = slotIdIn(outcome.send.id);
    expect((await getKeyedSend(table, slotId, later))?.send).toEqual(outcome.send);
    expect(await getTimeline(table, outcome.send.id, later)).toMatchObject({
      messages: [],
      events: [],
      deliveries: [],
    });
    expect(await contactOf(organizationId, 'ann@example.com')).toHaveProperty('bounce.at');
  });
});
