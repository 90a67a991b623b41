import { describe, expect, it } from 'vitest';
import { suppressAddress } from '#shared/suppressions/suppression-store';
import { newOrganizationId } from '#shared/tokens/resource-id';
import {
  endpoint,
  listSuppressions,
} from '../../../functions/list-suppressions/list-suppressions.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { openSuppressionAccount } from '../../support/suppression-account.ts';

const account = await openSuppressionAccount();
await account.suppress('unsubscribe', { at: 5_000 });
await account.suppress('bounce', { at: 4_000 });
await account.suppress('bounce', { at: 3_000 }, 'ben@example.org');
await suppressAddress(
  account.table,
  newOrganizationId(),
  { identity: 'ann@example.com', reason: 'bounce' },
  2_000,
);
const all = await account.all();

const run = (query: Record<string, string>) =>
  listSuppressions({ caller: account.caller, query: endpoint.query.parse(query) }, account);

describe('listSuppressions', () => {
  it.each([
    { query: {}, shown: [5_000, 4_000, 3_000] },
    { query: { reason: 'bounce' }, shown: [4_000, 3_000] },
    { query: { from: '4000' }, shown: [5_000, 4_000] },
    { query: { until: '4000' }, shown: [3_000] },
    { query: { reason: 'bounce', from: '3500', until: '5000' }, shown: [4_000] },
    { query: { limit: '1' }, shown: [5_000] },
  ])('returns for $query the suppressions at $shown', async ({ query, shown }) => {
    const { suppressions } = await run(query);

    expect(suppressions.map(({ at }) => at)).toEqual(shown);
  });

  it('continues at a cursor only with the same filters', async () => {
    const { nextCursor } = await run({ reason: 'bounce', limit: '1' });
    const cursor = nextCursor ?? '';

    const rest = await run({ reason: 'bounce', cursor });
    const error = await serviceErrorOf(() => run({ reason: 'manual', cursor }));

    expect(rest).toEqual({ suppressions: [all[2]], nextCursor: null });
    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'cursor' }] });
  });
});
