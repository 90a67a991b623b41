import { describe, expect, it } from 'vitest';
import { ensureContact, getContact } from '#shared/contacts/contact-store';
import { testEventsOf } from '#shared/email/test-provider';
import { putOrganization } from '#shared/organizations/organization-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import { commitAcceptance } from '#shared/sending/send-store';
import type { Table } from '#shared/table/table-client';
import { contactIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import {
  recordTestEvents,
  testEventsSchema,
} from '../../../functions/record-test-events/record-test-events.ts';
import { buildClaim, claimSend } from '../../support/claim-builder.ts';
import { openDisturbedTable } from '../../support/disturbed-table.ts';
import { buildEmailAddress } from '../../support/email-address-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const claimedAt = 4_000_000_000_000;
const to = 'complaint@simulator.amazonses.com';
const identity = buildEmailAddress(to).identity;

/** A test send whose process died once its events were queued: they come before any commit, or none does. */
async function storeInDoubt() {
  const organizationId = newOrganizationId();
  await putOrganization(table, buildOrganization({ id: organizationId }));
  const claim = buildClaim({ organizationId, claimedAt, toEmail: to, test: true });
  await claimSend(table, claim);
  const { feedbackId } = claim;
  const email = { feedbackId, to: [buildEmailAddress(to)], cc: [], bcc: [] };
  const events = testEventsOf(email, `test-${claim.id}`, new Date(claimedAt).toISOString());
  return { organizationId, send: claim, body: JSON.stringify({ events }) };
}

const record = (body: string, on: Table = table) =>
  recordTestEvents(testEventsSchema.parse(JSON.parse(body)), {
    table: on,
    now: () => claimedAt + 1_000,
    sendRetentionDays: 90,
    wakeQueue: async () => {},
  });

async function outcomeOf({ organizationId, send }: Awaited<ReturnType<typeof storeInDoubt>>) {
  const timeline = await getTimeline(table, send.id, claimedAt + 1_000);
  return {
    status: timeline?.send.status,
    messageId: timeline?.send.providerMessageId,
    events: timeline?.events.map(({ type }) => type).toSorted(),
    contact: await getContact(table, contactIdOf(organizationId, identity)),
  };
}

const settledAs = (id: string) => ({
  status: 'sent',
  messageId: `test-${id}`,
  events: ['complained', 'delivered', 'sent'],
  contact: undefined,
});

describe("a test email's events", () => {
  it('settle a send whose process died, suppress nobody and create no contact', async () => {
    const world = await storeInDoubt();

    await record(world.body);

    expect(await outcomeOf(world)).toEqual(settledAs(world.send.id));
  });

  it('may arrive twice, concurrently, or after the commit', async () => {
    const world = await storeInDoubt();
    const acceptance = { providerMessageId: `test-${world.send.id}`, at: claimedAt };
    await commitAcceptance(table, world.send, acceptance, []);

    await Promise.all([record(world.body), record(world.body)]);
    await record(world.body);

    expect(await outcomeOf(world)).toEqual(settledAs(world.send.id));
  });

  it('have the same outcome when the process dies before any of its calls, and the queue repeats them', async () => {
    for (let at = 0; ; at += 1) {
      const world = await storeInDoubt();
      let calls = 0;
      const dying = openDisturbedTable(
        {
          before: async () => {
            calls += 1;
            if (calls > at) throw new Error('died');
          },
        },
        openStoreTable,
      );

      const died = await record(world.body, dying).then(
        () => false,
        () => true,
      );
      await record(world.body);

      expect(await outcomeOf(world), `dies before call ${at}`).toEqual(settledAs(world.send.id));
      if (!died) break;
    }
  });

  it('suppress nobody even once their send is gone', async () => {
    const world = await storeInDoubt();
    await ensureContact(table, world.organizationId, identity, claimedAt);
    const known = await getContact(table, contactIdOf(world.organizationId, identity));
    const { body } = await storeInDoubt();
    const gone = body.replaceAll(
      /fbk_[a-z2-7]+/g,
      (id) => `${id.slice(0, -2)}${id.endsWith('aa') ? 'bb' : 'aa'}`,
    );

    await record(gone);
    await record(world.body);

    const after = await getContact(table, contactIdOf(world.organizationId, identity));
    expect(after).toEqual(known);
  });
});
