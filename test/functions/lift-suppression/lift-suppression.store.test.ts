import { describe, expect, it } from 'vitest';
import { listAuditEntries } from '#shared/audit/audit-store';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openSuppressionStore } from '#shared/suppressions/suppression-store';
import { contactIdOf } from '#shared/tokens/resource-id';
import { endpoint as liftSuppression } from '../../../functions/lift-suppression/lift-suppression.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { surroundings } from '../../support/surroundings.ts';

const table = openStoreTable();
const suppressionStore = openSuppressionStore(table);
const email = 'ann@example.com';

/** An address that bounced. Each request may die right before or right after one of its effects. */
async function newBounced() {
  const manager = buildManager();
  const contactId = contactIdOf(manager.organizationId, email);
  await suppressionStore.suppress(manager.organizationId, email, 'bounce', 1_000, {
    providerMessageId: 'message-1',
  });
  const suppressions = openSuppressionListStore(table);
  const lifts = suppressionStore;
  let isListed = true;

  const request = (doom?: { readonly effect: string; readonly when: 'before' | 'after' }) => {
    const effect = async <Result>(name: string, run: () => Promise<Result>): Promise<Result> => {
      if (doom?.effect === name && doom.when === 'before') throw new Error('died');
      const result = await run();
      if (doom?.effect === name) throw new Error('died');
      return result;
    };
    return liftSuppression.run(
      { ...surroundings, caller: manager.caller, path: { email }, query: { reason: undefined } },
      {
        now: manager.now,
        sendRetentionDays: 90,
        wakeQueue: async () => {},
        suppressionList: suppressions,
        lifts: { lift: (...args) => effect('lift', () => lifts.lift(...args)) },
        providerList: {
          remove: () =>
            effect('remove', async () => {
              const wasListed = isListed;
              isListed = false;
              return wasListed;
            }),
        },
      },
    );
  };
  const state = async () => {
    const range = { before: undefined, limit: 10 };
    const { entries } = await listAuditEntries(table, manager.organizationId, range, manager.now());
    return {
      isListed,
      isSuppressed: (await suppressions.ofContact(contactId)).suppressions.length > 0,
      notes: entries.length,
    };
  };
  return { request, state };
}

describe('lifting a bounce', () => {
  it.each([
    ['before', 'remove'],
    ['after', 'remove'],
    ['before', 'lift'],
  ] as const)('is completed by a repetition when it died %s %s', async (when, effect) => {
    const { request, state } = await newBounced();

    await expect(request({ effect, when })).rejects.toThrow('died');
    const between = await state();
    await request();

    // Off SES's list but still suppressed here, never the other way round.
    expect(between).toMatchObject({ isSuppressed: true, notes: 0 });
    expect(await state()).toEqual({ isListed: false, isSuppressed: false, notes: 1 });
  });

  it('succeeds when only the answer was lost: a repetition finds nothing to lift', async () => {
    const { request, state } = await newBounced();

    await expect(request({ effect: 'lift', when: 'after' })).rejects.toThrow('died');

    await expect(request()).rejects.toMatchObject({ code: 'suppression_not_found' });
    expect(await state()).toEqual({ isListed: false, isSuppressed: false, notes: 1 });
  });
});
