import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { placesOf, placesPerMinute, type Refusal } from '#shared/access/refusal';
import { listRefusals } from '#shared/access/refusal-list-store';
import { noteRefusal } from '#shared/access/refusal-store';
import { refusalPartition } from '#shared/table/keys';
import {
  newApiKeyId,
  newOrganizationId,
  type OrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import { loseFirstAnswer, openDisturbedTable } from '../../support/disturbed-table.ts';
import { giveNothingUp } from '../../support/held-timeout.ts';
import { forEachInParallel } from '../../support/in-parallel.ts';
import { patience } from '../../support/patience.ts';
import { buildRefusal } from '../../support/refusal-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

giveNothingUp();
const table = openStoreTable();
const note = (refusal: Refusal) => noteRefusal(table, refusal, patience.timeout);
const minute = 60_000;
const now = 1_750_000_020_000;

const listOf = ({ apiKeyId }: Refusal, search = {}, at = now + minute) =>
  listRefusals(table, organizationIdOf(apiKeyId), { limit: 100, ...search }, at);

const foundOf = async (refusal: Refusal, search = {}, at = now + minute) =>
  (await listOf(refusal, search, at)).found;

/** A thousand that differ only in their fields. */
const kindsOf = (refusal: Refusal) =>
  Array.from({ length: 1_000 }, (_, index) => ({ ...refusal, fields: [`f${index}`] }));

describe('a refused request', () => {
  it('is read back as recorded, until it expires', async () => {
    const refusal = buildRefusal({ at: now + 5 });

    expect(await note(refusal)).toBe('noted');

    expect(await foundOf(refusal)).toEqual([refusal]);
    expect(await foundOf(refusal, {}, now + 30 * 86_400_000 - 1_000)).toEqual([refusal]);
    expect(await foundOf(refusal, {}, now + 30 * 86_400_000 + 1_000)).toEqual([]);
  });

  it('is counted with similar ones of its minute, even from concurrent requests', async () => {
    const refusal = buildRefusal();
    const many = Array.from({ length: 10 }, (_, index) => ({
      ...refusal,
      at: now + index,
      count: 3,
    }));

    await Promise.all(many.map(note));

    const found = await foundOf(refusal);
    expect(found).toMatchObject([{ ...refusal, at: expect.any(Number), count: 30 }]);
  });

  it('is distinguished by key, minute, route, code and fields', async () => {
    const refusal = buildRefusal({ at: now });
    // Four kinds for one key and minute always find a slot.
    const others: readonly Partial<Refusal>[] = [
      { apiKeyId: newApiKeyId(organizationIdOf(refusal.apiKeyId)) },
      { at: now + minute },
      { route: 'GET /api/v1/sends' },
      { code: 'malformed_json' },
      { at: now + minute, fields: [] },
      { fields: ['to', 'cc'] },
    ];
    const all = [refusal, ...others.map((other) => ({ ...refusal, ...other }))];

    for (const each of [...all, ...all]) await note(each);

    const found = await foundOf(refusal, {}, now + 2 * minute);
    expect(found).toHaveLength(all.length);
    for (const each of all) expect(found).toContainEqual({ ...each, count: 2 });
  });

  it('is listed before earlier ones of its minute', async () => {
    const refusal = buildRefusal();
    // Four kinds for one key and minute always find a slot.
    const times = [2, 0, 3, 1].map((second) => now + second * 1_000);
    for (const at of times) await note({ ...refusal, at, fields: [`f${at}`] });

    const found = await foundOf(refusal);

    expect(found.map(({ at }) => at)).toEqual(times.toSorted((one, other) => other - one));
  });

  it('never makes more items for a key and minute than there are slots', async () => {
    const refusal = buildRefusal({ at: now });
    const kinds = kindsOf(refusal);
    const filling = [...new Map(kinds.map((kind) => [placesOf(kind)[0], kind])).values()];
    const late = kinds.filter((kind) => !filling.includes(kind)).slice(0, 20);

    const outcomes = await forEachInParallel([...filling, ...late, ...filling], 2, note);

    expect(filling).toHaveLength(placesPerMinute);
    expect(outcomes).toEqual(
      [filling, late, filling].flatMap((all) => all.map(() => (all === late ? 'full' : 'noted'))),
    );
    const found = await foundOf(refusal);
    expect(found.map(({ count }) => count)).toEqual(filling.map(() => 2));
  });

  it('gets a slot of its own among four kinds of a minute that all start at the same one', async () => {
    const refusal = buildRefusal();
    const [place] = placesOf(refusal);
    const kinds = kindsOf(refusal).filter((kind) => placesOf(kind)[0] === place);
    const alike = kinds.slice(0, 4);

    expect(await Promise.all(alike.map(note))).toEqual(alike.map(() => 'noted'));
  });

  it('has the shape and the ids of the last one that had any', async () => {
    const refusal = buildRefusal();
    const shape = '{ to: string }';
    await note({ ...refusal, shape, requestIds: ['a', 'b'] });
    await note({ ...refusal, requestId: 'c', requestIds: ['c'] });

    const expected = { ...refusal, shape, requestIds: ['a', 'b'], requestId: 'c', count: 2 };
    expect(await foundOf(refusal)).toEqual([expected]);
    expect(await foundOf(refusal, { requestId: 'a' })).toEqual([expected]);
    expect(await foundOf(refusal, { requestId: 'd' })).toEqual([]);
  });

  it('may count twice when the answer was lost, and is stored', async () => {
    const refusal = buildRefusal();

    const losing = openDisturbedTable(loseFirstAnswer('UpdateItem'), openStoreTable);
    await noteRefusal(losing, refusal, patience.timeout);

    expect(await foundOf(refusal)).toMatchObject([{ count: 2 }]);
  });

  it('stores only what is shown, and when it expires', async () => {
    const refusal = buildRefusal();
    await note(refusal);

    const { Items = [] } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: {
          ':pk': refusalPartition(organizationIdOf(refusal.apiKeyId)),
        },
      }),
    );

    const key = { pk: expect.any(String), sk: expect.any(String) };
    const expiresAt = Math.floor(refusal.at / 1_000) + 30 * 86_400;
    expect(Items).toEqual([{ ...refusal, ...key, expiresAt }]);
  });
});

describe('the list of refused requests', () => {
  const organizationId = newOrganizationId();
  const apiKeyId = newApiKeyId(organizationId);
  const other = newApiKeyId(organizationId);
  const [first, second, third] = [
    buildRefusal({ apiKeyId, at: now + 100, requestId: 'first' }),
    buildRefusal({ apiKeyId: other, at: now + minute, code: 'rate_limited', requestId: 'second' }),
    buildRefusal({
      apiKeyId,
      at: now + 2 * minute,
      route: 'GET /api/v1/sends',
      requestId: 'third',
    }),
  ] as const;

  it('is newest first, in pages, and filtered', async () => {
    for (const each of [first, second, third]) await note(each);
    await note(buildRefusal({ at: now }));
    const later = now + 3 * minute;

    expect(await foundOf(first, {}, later)).toEqual([third, second, first]);
    const page = await listOf(first, { limit: 2 }, later);
    expect(page.found).toEqual([third, second]);
    expect(await listOf(first, { before: page.next, limit: 2 }, later)).toEqual({ found: [first] });
    for (const [search, expected] of [
      [{ apiKeyId }, [third, first]],
      [{ apiKeyId: other }, [second]],
      [{ route: third.route }, [third]],
      [{ code: second.code }, [second]],
      [{ apiKeyId, code: second.code }, []],
      [{ since: now + minute + 30_000 }, [third, second]],
      [{ until: now + minute }, [first]],
      [{ until: now + minute + 1 }, [second, first]],
      [{ since: now, until: now + minute }, [first]],
    ] as const) {
      expect(await foundOf(first, search, later), JSON.stringify(search)).toEqual(expected);
    }
  });

  it('has every entry of its pages newest first, however many keys were refused in a minute', async () => {
    const organization = newOrganizationId();
    const keys = Array.from({ length: 4 }, () => newApiKeyId(organization));
    // Four kinds for one key and minute always find a slot.
    const noted = keys.flatMap((key, index) =>
      [0, minute, 86_400_000].flatMap((later) =>
        ['to', 'cc', 'bcc'].map((field, step) =>
          buildRefusal({
            apiKeyId: key,
            fields: [field],
            at: now + later + ((index * 7 + step * 11) % 13) * 1_000 + index,
          }),
        ),
      ),
    );
    await forEachInParallel(noted, 4, note);
    const newest = noted.toSorted((one, other) => other.at - one.at);

    for (const limit of [1, 3, 5, 100]) {
      expect(await pagesOf(organization, limit, now + 2 * 86_400_000), `${limit}`).toEqual(newest);
    }
  });
});

async function pagesOf(organization: OrganizationId, limit: number, at: number) {
  const found: Refusal[] = [];
  let before: Awaited<ReturnType<typeof listRefusals>>['next'];
  do {
    const page = await listRefusals(table, organization, { limit, before }, at);
    found.push(...page.found);
    before = page.next;
  } while (before !== undefined);
  return found;
}
