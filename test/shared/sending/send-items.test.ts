import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { type Send, sendEndpoints } from '#shared/sending/send';
import { toSend, toSendItem } from '#shared/sending/send-items';
import { commitAcceptance, recordRejection } from '#shared/sending/send-store';
import { recordHeard } from '#shared/sends/heard-store';
import { findSendByMessage } from '#shared/sends/named-sends-store';
import {
  findNewerSends,
  findSends,
  findSendsWith,
  readSends,
  sendPositionSchema,
} from '#shared/sends/send-list-store';
import { getSend } from '#shared/sends/timeline-store';
import {
  earlierMessageIndexKey,
  providerMessageIndexKey,
  sendPosition,
  slotIdAt,
} from '#shared/table/send-keys';
import type { StoredItem } from '#shared/table/table-client';
import { contactIdOf, newOrganizationId, slotIdIn } from '#shared/tokens/resource-id';
import { buildClaim, claimNow, claimSend } from '../../support/claim-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';

const messageId = '0100018c2f6b6e5c-1f8b6a0e-000000';
const fingerprint = 'qyTosPe3LHEfEjhbrYqANN';
const acceptance = { providerMessageId: messageId, at: claimNow + 500 };
const sent = { status: 'sent', providerMessageId: messageId, sentAt: acceptance.at } as const;

/** A send's item as it was stored until 2026-11-24. */
function earlierItemOf(send: Send): StoredItem {
  const { gsi2sk, gsi3sk, ...item } = toSendItem(send);
  const slot = slotIdAt(String(item['pk'])).slice(-24);
  const { createdAt, claimedAt, updatedAt, endpoint, policyKey, providerMessageId } = send;
  const position = `${String(gsi2sk).slice(0, 15)}#${slot}`;
  return {
    ...item,
    ...{ createdAt, claimedAt, updatedAt, endpoint, policyKey },
    fingerprint: `${send.fingerprint}2cKiTAvRnZwW5QrxusmNI`,
    ...{ gsi2sk: position, gsi3sk: position },
    ...(providerMessageId !== undefined && earlierMessageIndexKey(providerMessageId)),
  };
}

describe("a send's item", () => {
  it.each<[string, Partial<Send>]>([
    ['a first claim', {}],
    ['an email of the service', { policyKey: 'bulk', endpoint: sendEndpoints[1] }],
    ['a settled send', { ...sent, updatedAt: acceptance.at }],
    ['a settled send that changed since', { ...sent, updatedAt: acceptance.at + 1 }],
    ['a further attempt', { claimedAt: claimNow + 9, updatedAt: claimNow + 9, attempt: 2 }],
  ])('for %s reads back as written, and as stored before', (_what, overrides) => {
    const send = buildClaim({ fingerprint, createdAt: claimNow, ...overrides });

    const earlier = toSend(earlierItemOf(send));

    expect(toSend(toSendItem(send))).toEqual({ ...send, apiKeyId: undefined });
    expect(earlier.fingerprint.startsWith(send.fingerprint)).toBe(true);
    expect({ ...earlier, fingerprint }).toEqual({ ...send, apiKeyId: undefined });
  });

  it('contains nothing that is implied', () => {
    const item = toSendItem(buildClaim());

    for (const name of ['createdAt', 'claimedAt', 'updatedAt', 'endpoint', 'policyKey']) {
      expect(item).not.toHaveProperty(name);
    }
  });

  it('has an update time when it was settled, and when it changed afterwards', async () => {
    const { table, items } = openMemoryTable();
    const send = buildClaim({ updatedAt: claimNow + 1 });
    await claimSend(table, send);
    const { send: settled } = await commitAcceptance(table, send, acceptance, []);
    const [item = {}] = items();
    await recordRejection(table, settled, { ...acceptance, at: claimNow + 900 }, 'Reject');
    const [rejected = {}] = items();

    expect(item).not.toHaveProperty('updatedAt');
    expect(toSend(item)).toMatchObject({ updatedAt: acceptance.at, sentAt: acceptance.at });
    expect(toSend(rejected)).toMatchObject({ updatedAt: claimNow + 900, sentAt: acceptance.at });
  });
});

describe('a send from before 2026-11-24', () => {
  async function stored(overrides: Partial<Send> = {}) {
    const { table, items } = openMemoryTable();
    const organizationId = newOrganizationId();
    const send = buildClaim({ organizationId, fingerprint, ...sent, ...overrides });
    await table.client.send(new PutCommand({ TableName: table.name, Item: earlierItemOf(send) }));
    return { table, items, send, organizationId };
  }

  it('replays to a retry of its request, and refuses another request', async () => {
    const { table, organizationId } = await stored();
    const retry = buildClaim({ organizationId, fingerprint, claimedAt: claimNow + 9_000 });

    const same = await claimSend(table, retry);
    const other = await claimSend(table, { ...retry, fingerprint: 'ryTosPe3LHEfEjhbrYqANN' });

    expect(same).toMatchObject({ kind: 'replay', response: { messageId } });
    expect(other).toMatchObject({ kind: 'key_reused' });
  });

  it('is found by its message, organization and recipient, among newer sends', async () => {
    const { table, send, organizationId } = await stored();
    const later = buildClaim({ organizationId, idempotencyKey: 'key-2', claimedAt: claimNow + 1 });
    await claimSend(table, later);
    const to = contactIdOf(organizationId, 'ann@example.com');

    const now = () => claimNow;

    const byMessage = await findSendByMessage(table, organizationId, messageId, claimNow);
    const subscribed = await getSend(table, send.feedbackId, claimNow);
    const pages = [await readSends(table, organizationId, { limit: 1 }, now)];
    pages.push(await readSends(table, organizationId, { limit: 1, before: pages[0]?.next }, now));
    const named = await readSends(table, organizationId, { limit: 9, to }, now);
    const [, position] = (
      await findSends(table, organizationId, { before: undefined, limit: 9 })
    ).map((one) => one.position);

    expect(byMessage?.id).toBe(send.id);
    expect(subscribed?.id).toBe(send.id);
    expect(pages.flatMap(({ found }) => found).map(({ id }) => id)).toEqual([later.id, send.id]);
    expect(pages[1]?.next).toBeUndefined();
    expect(named.found.map(({ id }) => id)).toEqual([later.id, send.id]);
    expect(position).toHaveLength(40);
  });

  it('is shown once, with its creation and its outcome', async () => {
    const { table, send, organizationId } = await stored();
    const bounce = { type: 'bounced', ts: claimNow + 900, providerMessageId: messageId } as const;
    await recordHeard(table, send, { ...bounce, reason: 'Permanent/General' });
    const now = () => claimNow;
    const idsOf = async (selection: object) => {
      const { found } = await readSends(table, organizationId, { limit: 9, ...selection }, now);
      return found.map(({ id }) => id);
    };
    const range = { before: undefined, limit: 9 };
    const [listed] = await findSendsWith(table, organizationId, ['bounced'], range);

    expect(await idsOf({ outcomes: ['bounced'] })).toEqual([send.id]);
    expect(await idsOf({})).toEqual([send.id]);
    expect(listed?.position).toBe(sendPosition(slotIdIn(send.id), bounce.ts));
  });

  it("isn't newer than itself", async () => {
    const { table, organizationId } = await stored();
    const [entry] = await findSends(table, organizationId, { before: undefined, limit: 1 });
    const after = sendPositionSchema.parse(entry?.position.slice(0, 24));

    const range = { after, limit: 9 };
    expect(await findNewerSends(table, organizationId, range)).toEqual([]);
  });

  it("gets today's keys once a later message settles it", async () => {
    const { table, items, send } = await stored({ status: 'failed' });
    const later = { providerMessageId: 'message-2', at: claimNow + 5_000 };

    await commitAcceptance(table, send, later, []);

    expect(items()[0]).toMatchObject(providerMessageIndexKey('message-2'));
  });
});
