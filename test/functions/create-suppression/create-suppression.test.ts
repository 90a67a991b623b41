import { describe, expect, it } from 'vitest';
import type { SuppressionStore } from '#shared/suppressions/suppression-store';
import { contactIdOf } from '#shared/tokens/resource-id';
import { createSuppression } from '../../../functions/create-suppression/create-suppression.ts';
import { endpoint } from '../../../functions/create-suppression/endpoint.ts';
import { webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSuppression, fakeSuppressionList } from '../../support/suppression-stores.ts';
import { unexpected } from '../../support/unexpected.ts';

const suppressions: SuppressionStore = {
  suppress: unexpected('suppressions.suppress'),
  suppressKnown: unexpected('suppressions.suppressKnown'),
  suppressManually: unexpected('suppressions.suppressManually'),
};

function prepare(isThere = true) {
  const manager = buildManager();
  const created = buildSuppression(manager.organizationId, { reason: 'manual' });
  const calls: unknown[] = [];
  const run = () =>
    createSuppression(
      manager.credential,
      () => endpoint.body.parse({ email: 'Ann <Ann@example.com>', diagnostic: 'asked by phone' }),
      {
        ...manager,
        suppressions: {
          ...suppressions,
          suppressManually: async (...args) => {
            calls.push(args);
            return 'suppressed';
          },
        },
        suppressionList: fakeSuppressionList(isThere ? [created] : []),
      },
    );
  return { run, manager, created, calls };
}

describe('createSuppression', () => {
  it('suppresses the address by hand, notes who did it, and answers what stands there', async () => {
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
        { diagnostic: 'asked by phone' },
        expect.objectContaining(entry),
        webhookNow,
      ],
    ]);
  });

  it('says so when another request lifted it in the same moment', async () => {
    const { run } = prepare(false);

    expect((await serviceErrorOf(run)).code).toBe('concurrent_change');
  });

  it('does nothing for who may not manage the organization', async () => {
    const refusals = await refusalsOf((presented, authentication) =>
      createSuppression(presented, unexpected('the body'), {
        ...authentication,
        suppressions,
        suppressionList: fakeSuppressionList([]),
      }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
