import { describe, expect, it } from 'vitest';
import { type Send, sendEndpoints } from '#shared/sending/send';
import { toSend, toSendItem } from '#shared/sending/send-items';
import { commitAcceptance, recordRejection } from '#shared/sending/send-store';
import { buildClaim, claimNow, claimSend } from '../../support/claim-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import type { SendGiven } from '../../support/send-builder.ts';

const messageId = '0100018c2f6b6e5c-1f8b6a0e-000000';
const fingerprint = 'qyTosPe3LHEfEjhbrYqANN';
const acceptance = { providerMessageId: messageId, at: claimNow + 500 };
const sent = { status: 'sent', providerMessageId: messageId, sentAt: acceptance.at } as const;

describe("a send's item", () => {
  it.each<[string, Partial<Send>]>([
    ['a first claim', {}],
    ['an email of the service', { policyKey: 'bulk', endpoint: sendEndpoints[1] }],
    ['a settled send', { ...sent, updatedAt: acceptance.at }],
    ['a settled send that changed since', { ...sent, updatedAt: acceptance.at + 1 }],
    ['a further attempt', { claimedAt: claimNow + 9, updatedAt: claimNow + 9, attempt: 2 }],
  ])('for %s reads back as written', (_what, overrides) => {
    const send = buildClaim({ fingerprint, createdAt: claimNow, ...overrides });

    expect(toSend(toSendItem(send))).toEqual({ ...send, apiKeyId: undefined });
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
