import { describe, expect, it } from 'vitest';
import { createSuppression } from '#shared/suppressions/create-suppression';
import { contactIdOf } from '#shared/tokens/resource-id';
import { endpoint } from '../../../functions/create-suppression/create-suppression.ts';
import { webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSuppression, fakeSuppressionList } from '../../support/suppression-stores.ts';

function prepare(isThere = true) {
  const manager = buildManager();
  const created = buildSuppression(manager.organizationId, { reason: 'manual' });
  const calls: unknown[] = [];
  const run = () =>
    createSuppression(
      {
        caller: manager.caller,
        body: endpoint.body.parse({
          email: 'Ann <Ann@example.com>',
          diagnostic: 'asked by phone',
        }),
      },
      {
        now: manager.now,
        suppressions: {
          suppress: async (...args) => {
            calls.push(args);
            return 'suppressed';
          },
        },
        sendRetentionDays: 90,
        wakeQueue: async () => {},
        suppressionList: fakeSuppressionList(isThere ? [created] : []),
      },
    );
  return { run, manager, created, calls };
}

describe('createSuppression', () => {
  it('suppresses the address manually, audits who did it, and returns what is stored', async () => {
    const { run, manager, created, calls } = prepare();
    const { organizationId, actor } = manager;

    const answer = await run();

    const target = contactIdOf(organizationId, 'ann@example.com');
    const entry = { actor, action: 'suppression.created', target, after: { reason: 'manual' } };
    expect(answer).toEqual(created);
    expect(calls).toEqual([
      [
        organizationId,
        'ann@example.com',
        'manual',
        webhookNow,
        { diagnostic: 'asked by phone' },
        expect.objectContaining({ entry: expect.objectContaining(entry) }),
      ],
    ]);
  });

  it('returns concurrent_change when another request lifted the suppression at the same moment', async () => {
    const { run } = prepare(false);

    expect((await serviceErrorOf(run)).code).toBe('concurrent_change');
  });
});
