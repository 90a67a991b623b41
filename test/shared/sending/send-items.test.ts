import { describe, expect, it } from 'vitest';
import { type Send, type SendStatus, sendEndpoints } from '#shared/sending/send';
import { toSend, toSendItem } from '#shared/sending/send-items';
import { commitAcceptance, recordRejection } from '#shared/sending/send-store';
import type { StoredItem } from '#shared/table/table-client';
import { captureOutput } from '../../support/captured-output.ts';
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

describe('a stored send that no write leaves', () => {
  const stored = (status: SendStatus, given: object): StoredItem => {
    const { status: _, ...item } = toSendItem(buildClaim({ attempts: [] }));
    return { ...item, status, ...given };
  };
  const message = { providerMessageId: messageId, sentAt: claimNow };
  const isDue = { dueAt: claimNow, waitingKey: 'key-1' };

  it.each<[string, SendStatus, object, string[]]>([
    ['sent without a message', 'sent', {}, ['providerMessageId', 'sentAt']],
    ['sent and still due', 'sent', { ...message, ...isDue }, ['dueAt', 'waitingKey']],
    ['sent and marked as proven', 'sent', { ...message, provenAt: claimNow }, ['provenAt']],
    ['scheduled with a message', 'scheduled', message, ['providerMessageId', 'sentAt']],
    ['queued with a message', 'queued', message, ['providerMessageId', 'sentAt']],
    ['under way with a message', 'sending', message, ['providerMessageId', 'sentAt']],
    ['failed and still due', 'failed', isDue, ['dueAt', 'waitingKey']],
    ['suppressed with a message', 'suppressed', message, ['providerMessageId', 'sentAt']],
    ['canceled and still due', 'canceled', isDue, ['dueAt', 'waitingKey']],
  ])('is reported as unreadable: %s', (_what, status, given, names) => {
    const output = captureOutput();

    const fields = names.map((name) => `${name} (invalid_type)`);

    expect(() => toSend(stored(status, given))).toThrow(
      expect.objectContaining({ name: 'UnreadableItemError', item: 'send', fields }),
    );
    expect(output.text()).toContain('"SchemaMismatch":1');
  });

  it('is reported as unreadable: of a status that this version does not know', () => {
    captureOutput();

    const item = { ...toSendItem(buildClaim()), status: 'bounced' };

    expect(() => toSend(item)).toThrow(
      expect.objectContaining({ item: 'send', fields: ['status (invalid_union)'] }),
    );
  });
});

describe('a send that workers are done with', () => {
  it.each<[string, SendGiven]>([
    ['waits, and an earlier attempt is proven', { status: 'queued', provenAt: claimNow }],
    ['waits, and has expired', { status: 'scheduled' }],
    ['is in doubt for good', { status: 'sending' }],
    ['failed after SES rejected its message', { ...sent, status: 'failed' }],
    ['has no key to its content any more', { status: 'queued', dueAt: claimNow }],
  ])('is readable when it %s', (_what, given) => {
    const send = buildClaim({ ...given, fingerprint, contentId: 'content-1' });

    expect(toSend(toSendItem(send))).toEqual({ ...send, apiKeyId: undefined });
  });
});
