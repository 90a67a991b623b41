import { describe, expect, it } from 'vitest';
import type { SuppressionReason } from '#shared/contacts/contact';
import {
  endpoint,
  endpoint as liftSuppression,
} from '../../../functions/lift-suppression/lift-suppression.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSuppression, fakeSuppressionList } from '../../support/suppression-stores.ts';
import { surroundings } from '../../support/surroundings.ts';

function prepare(...reasons: readonly SuppressionReason[]) {
  const manager = buildManager();
  const isOfEvent = (reason: SuppressionReason) => reason === 'bounce' || reason === 'complaint';
  const all = reasons.map((reason) =>
    buildSuppression(manager.organizationId, {
      reason,
      ...(isOfEvent(reason) && { providerMessageId: 'message-1' }),
    }),
  );
  const run = (query: object = {}, email = 'Ann@Example.com') =>
    liftSuppression.run(
      {
        ...surroundings,
        caller: manager.caller,
        path: { email },
        query: endpoint.query.parse(query),
      },
      {
        now: manager.now,
        sendRetentionDays: 90,
        wakeQueue: async () => {},
        suppressionList: fakeSuppressionList(all),
        lifts: { lift: async () => true },
        providerList: { remove: async () => true },
      },
    );
  return run;
}

describe('liftSuppression', () => {
  it('lifts every reason except the person’s own unsubscription, and returns what remains', async () => {
    const run = prepare('bounce', 'complaint', 'manual', 'unsubscribe');

    expect(await run()).toEqual({
      lifted: ['bounce', 'complaint', 'manual'],
      remaining: ['unsubscribe'],
      providerList: 'removed',
    });
  });

  it.each(['bounce', 'unsubscribe'] as const)(
    'lifts only the requested reason: %s',
    async (reason) => {
      const run = prepare('bounce', 'unsubscribe');

      expect((await run({ reason })).lifted).toEqual([reason]);
    },
  );

  it.each([
    { present: [], query: {} },
    { present: ['unsubscribe'] as const, query: {} },
    { present: ['bounce'] as const, query: { reason: 'complaint' } },
  ])('finds nothing to lift for $query among $present', async ({ present, query }) => {
    const run = prepare(...present);

    expect((await serviceErrorOf(() => run(query))).code).toBe('suppression_not_found');
  });

  it('rejects an invalid address', async () => {
    const error = await serviceErrorOf(() => prepare('bounce')({}, 'nobody'));

    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'email' }] });
  });
});
