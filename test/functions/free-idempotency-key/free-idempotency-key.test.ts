import { describe, expect, it } from 'vitest';
import type { Caller } from '#shared/access/admit-caller';
import type { AuditEntry } from '#shared/audit/audit-entry';
import type { KeyFreeingStore } from '#shared/sending/key-freeing-store';
import type { Send } from '#shared/sending/send';
import { newNonce, type SlotId, sendIdOf, slotIdOf } from '#shared/tokens/resource-id';
import { endpoint as freeIdempotencyKey } from '../../../functions/free-idempotency-key/free-idempotency-key.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { buildSend } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const manager = buildManager();
const key = 'welcome/ann@example.com';
const slotId = slotIdOf(manager.organizationId, key);
const testSlotId = slotIdOf(manager.organizationId, key, { isTest: true });

function prepare(
  overrides: Partial<Send> | undefined,
  outcomes: readonly ('freed' | 'changed_meanwhile')[] = ['freed'],
) {
  const send =
    overrides && buildSend({ id: sendIdOf(slotId, newNonce()), status: 'sent', ...overrides });
  const entries: (AuditEntry | undefined)[] = [];
  const found: SlotId[] = [];
  const keys: KeyFreeingStore = {
    find: async (asked) => {
      found.push(asked);
      return send && { origin: send, send };
    },
    free: async (_keyed, entry) => {
      entries.push(entry);
      return outcomes[entries.length - 1] ?? 'changed_meanwhile';
    },
  };
  const run = (query: { readonly test?: 'true' } = {}, given: Partial<Caller> = {}) =>
    freeIdempotencyKey.run(
      { ...surroundings, caller: { ...manager.caller, ...given }, path: { key }, query },
      { ...manager, keys },
    );
  return { run, entries, send, found };
}

const past = { leaseExpiresAt: manager.now() - 1 };
const future = { leaseExpiresAt: manager.now() + 60_000 };
const failed = [{ attempt: 1, at: 1, reason: 'MessageRejected' }];

describe('freeIdempotencyKey', () => {
  it.each([
    ['is sent', { status: 'sent' }],
    ['is suppressed', { status: 'suppressed' }],
    ['SES refused', { status: 'failed', attempts: failed }],
    ['is proven to be out', { status: 'sending', ...past, provenAt: 1 }],
  ] as const)(
    'frees a key whose send %s, and audits that without an address',
    async (_how, overrides) => {
      const { run, entries, send, found } = prepare({
        ...overrides,
        attempts: [...('attempts' in overrides ? overrides.attempts : [])],
      });

      await run();

      expect(found).toEqual([slotId]);
      expect(entries).toMatchObject([
        { actor: manager.actor, action: 'idempotency_key.freed', target: send?.feedbackId },
      ]);
      expect(JSON.stringify(entries)).not.toContain('@');
    },
  );

  it.each([
    ['idempotency_in_progress', 'is under way', { status: 'sending', ...future }],
    ['send_in_doubt', 'was never answered', { status: 'sending', ...past }],
    [
      'send_in_doubt',
      'failed after one that was never answered',
      { status: 'failed', doubtUntil: 1 },
    ],
    [
      'send_in_doubt',
      'is suppressed after one that was never answered',
      { status: 'suppressed', doubtUntil: 1 },
    ],
  ] as const)('returns %s while the send %s, and frees nothing', async (code, _how, overrides) => {
    const { run, entries } = prepare(overrides);

    expect((await serviceErrorOf(run)).code).toBe(code);
    expect(entries).toEqual([]);
  });

  it('says when to retry while the send is under way', async () => {
    const { run } = prepare({ status: 'sending', ...future });

    expect((await serviceErrorOf(run)).retryAfterSeconds).toBe(60);
  });

  it("doesn't find a key that no send has used", async () => {
    const { run } = prepare(undefined);

    expect((await serviceErrorOf(run)).code).toBe('idempotency_key_not_found');
  });

  it.each([
    ['asked by a manager', { test: 'true' }, {}],
    ['asked by a test key', {}, { apiKey: { ...manager.caller.apiKey, test: true } }],
  ] as const)("frees a test emails' key when %s, which isn't audited", async (_, query, given) => {
    const { run, entries, found } = prepare({});

    await run(query, given);

    expect(found).toEqual([testSlotId]);
    expect(entries).toEqual([undefined]);
  });

  it('reads again when the send has changed in between, and then gives up', async () => {
    const again = prepare({}, ['changed_meanwhile', 'freed']);
    const never = prepare({}, []);

    await again.run();

    expect(again.entries).toHaveLength(2);
    expect((await serviceErrorOf(never.run)).code).toBe('concurrent_change');
  });
});
