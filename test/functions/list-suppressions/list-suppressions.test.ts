import { describe, expect, it } from 'vitest';
import { newOrganizationId } from '#shared/tokens/resource-id';
import {
  endpoint,
  listSuppressions,
} from '../../../functions/list-suppressions/list-suppressions.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSuppression, fakeSuppressionList } from '../../support/suppression-stores.ts';

const { organizationId, caller } = buildManager();
const all = [
  buildSuppression(organizationId, { at: 5_000, reason: 'unsubscribe' }),
  buildSuppression(organizationId, { at: 4_000 }),
  buildSuppression(organizationId, { at: 3_000, email: 'ben@example.org' }),
  buildSuppression(newOrganizationId(), { at: 2_000 }),
];
const run = (query: Record<string, string>) =>
  listSuppressions(
    { caller, query: endpoint.query.parse(query) },
    { suppressions: fakeSuppressionList(all) },
  );

describe('listSuppressions', () => {
  it.each([
    { query: {}, shown: [0, 1, 2] },
    { query: { reason: 'bounce' }, shown: [1, 2] },
    { query: { from: '4000' }, shown: [0, 1] },
    { query: { until: '4000' }, shown: [2] },
    { query: { reason: 'bounce', from: '3500', until: '5000' }, shown: [1] },
    { query: { limit: '1' }, shown: [0] },
  ])('returns for $query the suppressions $shown', async ({ query, shown }) => {
    const { suppressions } = await run(query);

    expect(suppressions).toMatchObject(shown.map((index) => all[index]));
    expect(suppressions).toHaveLength(shown.length);
  });

  it('continues at a cursor only with the same filters', async () => {
    const { nextCursor } = await run({ reason: 'bounce', limit: '1' });
    const cursor = nextCursor ?? '';

    const rest = await run({ reason: 'bounce', cursor });
    const error = await serviceErrorOf(() => run({ reason: 'manual', cursor }));

    expect(rest).toMatchObject({ suppressions: [all[2]], nextCursor: null });
    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'cursor' }] });
  });
});
