import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '#shared/audit/audit-entry';
import type { Send } from '#shared/sending/send';
import { newNonce, sendIdOf, slotIdOf } from '#shared/tokens/resource-id';
import { freeIdempotencyKey } from '../../../functions/free-idempotency-key/free-idempotency-key.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { buildSend } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';

const manager = buildManager();
const slotId = slotIdOf(manager.organizationId, 'welcome/ann@example.com');

function prepare(
  overrides: Partial<Send> | undefined,
  outcomes: readonly ('freed' | 'changed_meanwhile')[] = ['freed'],
) {
  const send =
    overrides && buildSend({ id: sendIdOf(slotId, newNonce()), status: 'sent', ...overrides });
  const entries: AuditEntry[] = [];
  const run = (key: string | undefined = 'welcome/ann@example.com') =>
    freeIdempotencyKey(manager.credential, key, {
      ...manager,
      keys: {
        find: async (asked) => (asked === slotId && send ? { origin: send, send } : undefined),
        free: async (_keyed, entry) => {
          entries.push(entry);
          return outcomes[entries.length - 1] ?? 'changed_meanwhile';
        },
      },
    });
  return { run, entries, send };
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
    'frees a key whose send %s, and says so in the audit without an address',
    async (_how, overrides) => {
      const { run, entries, send } = prepare({
        ...overrides,
        attempts: [...('attempts' in overrides ? overrides.attempts : [])],
      });

      await run();

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
  ] as const)('answers %s while the send %s, and frees nothing', async (code, _how, overrides) => {
    const { run, entries } = prepare(overrides);

    expect((await serviceErrorOf(run)).code).toBe(code);
    expect(entries).toEqual([]);
  });

  it('knows no key that nobody has used', async () => {
    const { run } = prepare(undefined);

    expect((await serviceErrorOf(run)).code).toBe('idempotency_key_not_found');
  });

  it('looks again when the send has changed in between, and then gives up', async () => {
    const again = prepare({}, ['changed_meanwhile', 'freed']);
    const never = prepare({}, []);

    await again.run();

    expect(again.entries).toHaveLength(2);
    expect((await serviceErrorOf(never.run)).code).toBe('concurrent_change');
  });

  it('does nothing for who may not manage the organization', async () => {
    const refusals = await refusalsOf((credential, authentication) =>
      freeIdempotencyKey(credential, 'key', {
        ...authentication,
        keys: { find: unexpected('keys.find'), free: unexpected('keys.free') },
      }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
