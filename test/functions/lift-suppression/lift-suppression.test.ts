import { describe, expect, it } from 'vitest';
import type { SuppressionReason } from '#shared/contacts/contact';
import { endpoint } from '../../../functions/lift-suppression/endpoint.ts';
import { liftSuppression } from '../../../functions/lift-suppression/lift-suppression.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSuppression, fakeSuppressionList } from '../../support/suppression-stores.ts';
import { unexpected } from '../../support/unexpected.ts';

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
    liftSuppression(
      { credential: manager.credential, email, parse: () => endpoint.query.parse(query) },
      {
        ...manager,
        suppressions: fakeSuppressionList(all),
        lifts: { lift: async () => true },
        providerList: { get: unexpected('providerList.get'), remove: async () => true },
      },
    );
  return run;
}

describe('liftSuppression', () => {
  it('lifts every reason but the own will of the person, and says what remains', async () => {
    const run = prepare('bounce', 'complaint', 'manual', 'unsubscribe');

    expect(await run()).toEqual({
      lifted: ['bounce', 'complaint', 'manual'],
      remaining: ['unsubscribe'],
      providerList: 'removed',
    });
  });

  it.each(['bounce', 'unsubscribe'] as const)(
    'lifts one reason when told which: %s',
    async (reason) => {
      const run = prepare('bounce', 'unsubscribe');

      expect((await run({ reason })).lifted).toEqual([reason]);
    },
  );

  it.each([
    { present: [], query: {} },
    { present: ['unsubscribe'] as const, query: {} },
    { present: ['bounce'] as const, query: { reason: 'complaint' } },
  ])('answers that there is none: $query of $present', async ({ present, query }) => {
    const run = prepare(...present);

    expect((await serviceErrorOf(() => run(query))).code).toBe('suppression_not_found');
  });

  it('says what is wrong with an address', async () => {
    const error = await serviceErrorOf(() => prepare('bounce')({}, 'nobody'));

    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'email' }] });
  });

  it('does nothing for who may not manage the organization', async () => {
    const refusals = await refusalsOf((credential, authentication) =>
      liftSuppression(
        { credential, email: 'ann@example.com', parse: unexpected('the query') },
        {
          ...authentication,
          suppressions: fakeSuppressionList([]),
          lifts: { lift: unexpected('lifts.lift') },
          providerList: {
            get: unexpected('providerList.get'),
            remove: unexpected('providerList.remove'),
          },
        },
      ),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
