import { describe, expect, it } from 'vitest';
import { readSends } from '#shared/send-history/send-list-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import { movedTo } from '#shared/sending/later/change-plan';
import { moveWaiting } from '#shared/sending/later/waiting-store';
import type { Send } from '#shared/sending/send';
import { commitAcceptance, recordFailure } from '#shared/sending/send-store';
import { expiryAfter } from '#shared/table/expiry';
import { recipientSortKeyPrefix } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import {
  contactIdOf,
  newNonce,
  newOrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import { buildClaim, claimNow, claimSend } from '../../support/claim-builder.ts';
import {
  Death,
  dyingTable,
  interceptWrites,
  openDisturbedTable,
} from '../../support/disturbed-table.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { keysOfThoseHolding } from '../../support/organization-items.ts';
import { buildEmail, erasedAt, storeEmail } from '../../support/recipient-builder.ts';
import { asWaiting, type SendGiven } from '../../support/send-builder.ts';
import { openAnonymisation, slotsOf } from './anonymisation.ts';

const ann = 'ann@example.org';
const ben = 'ben@example.org';
const dan = 'dan@example.org';
const cleo = 'cleo@example.org';
const eve = 'eve@example.org';

/** To Ann and Dan, with a copy to Ben and a blind one to Cleo. */
const named = { toEmail: ann, moreTo: [dan], cc: [ben], bcc: [cleo] };

function prepare() {
  const { table, open, items, deleteExpired } = openMemoryTable();
  const organizationId = newOrganizationId();
  const { find, anonymise } = openAnonymisation(table);
  return {
    ...{ table, open, items, deleteExpired, organizationId, anonymise },
    build: (overrides: SendGiven = {}) => buildClaim({ organizationId, ...named, ...overrides }),
    /** The people who lead to a send, as an erasure finds it. */
    findersOf: async () => {
      const people = [ann, dan, ben, cleo, eve];
      const found = await Promise.all(people.map((one) => find(organizationId, one)));
      return people.filter((_, index) => slotsOf(found[index] ?? []).length > 0);
    },
    /** The number of sends listed for a person. */
    list: async (identity = ann, isTest = false) => {
      const to = contactIdOf(organizationId, identity);
      const { found } = await readSends(
        table,
        organizationId,
        { to, isTest, limit: 10 },
        () => claimNow,
      );
      return found.length;
    },
    entries: () => items().filter(({ sk }) => `${sk}`.startsWith(recipientSortKeyPrefix)),
  };
}

const everybody = [ann, dan, ben, cleo];

/** The calls that a claim makes. */
async function callsOfClaim(send: Send, open: () => Table): Promise<string[]> {
  const calls: string[] = [];
  const before = async ({ operation }: { readonly operation: string }) => {
    calls.push(operation);
  };
  await claimSend(openDisturbedTable({ before }, open), send);
  return calls;
}

describe('a send to several people', () => {
  it('is found by each of them, and listed once for each', async () => {
    const { table, build, findersOf, list } = prepare();

    await claimSend(table, build());

    expect(await findersOf()).toEqual(everybody);
    expect(await Promise.all([ann, dan, ben, cleo, eve].map((one) => list(one)))).toEqual([
      ...[1, 1, 1, 1, 0],
    ]);
  });

  it('is claimed in one transaction, and one to a single person by a single put', async () => {
    const { open, build } = prepare();
    const plain = build({ idempotencyKey: 'plain', moreTo: [], cc: [], bcc: [] });

    expect(await callsOfClaim(build(), open)).toEqual(['TransactWriteItems']);
    expect(await callsOfClaim(plain, open)).toEqual(['PutItem']);
  });

  it('has all of its entries or none when the process dies at its claim', async () => {
    const { table, open, build, items, findersOf } = prepare();

    await expect(claimSend(dyingTable(1, open), build())).rejects.toThrow(Death);
    const left = items().length;
    await claimSend(table, build());

    expect(left).toBe(0);
    expect(await findersOf()).toEqual(everybody);
  });

  it('writes nothing when its claim is lost', async () => {
    const { table, build, items } = prepare();
    await claimSend(table, build());
    const before = items();

    const replay = await claimSend(table, build({ cc: [eve], fingerprint: 'another' }));

    expect(replay.kind).not.toBe('claimed');
    expect(items()).toEqual(before);
  });

  it('is found among test emails only when made with a test key', async () => {
    const { table, build, list, findersOf } = prepare();

    await claimSend(table, build({ test: true }));

    expect(await findersOf()).toEqual([]);
    expect([await list(ben), await list(ben, true)]).toEqual([0, 1]);
  });

  it('takes its entries along when it expires', async () => {
    const { table, build, items, entries, deleteExpired } = prepare();
    const send = build();
    await claimSend(table, send);

    expect(entries().map(({ expiresAt }) => expiresAt)).toEqual(Array(3).fill(send.expiresAt));
    deleteExpired(send.expiresAt + 1);
    expect(items()).toEqual([]);
  });

  it('keeps its entries as long as itself when it is rescheduled to later', async () => {
    const { table, build, entries } = prepare();
    const waiting = asWaiting(
      build({
        status: 'scheduled',
        attempt: 0,
        dueAt: claimNow + 1_000,
        expiresAt: expiryAfter(claimNow, 90),
      }),
    );
    await claimSend(table, waiting);
    const moved = movedTo(claimNow + 86_400_000, waiting, claimNow, {
      patienceMs: 3_600_000,
      retentionDays: 90,
    });

    const isMoved = await moveWaiting(table, waiting, moved);

    expect(isMoved).toBe(true);
    expect(moved.expiresAt).toBeGreaterThan(waiting.expiresAt);
    expect(entries().map(({ expiresAt }) => expiresAt)).toEqual(Array(3).fill(moved.expiresAt));
  });

  it('is listed for its new recipients and found by all when it failed and is retried for others', async () => {
    const { table, build, findersOf, list } = prepare();
    const failed = build();
    await claimSend(table, failed);
    await recordFailure(table, failed, 'MessageRejected', claimNow + 1);
    const retry = { toEmail: ben, moreTo: [eve], cc: [], bcc: [] };

    const outcome = await claimSend(table, build({ ...retry, fingerprint: 'another' }));

    expect(outcome).toMatchObject({ kind: 'claimed', send: { attempt: 2 } });
    expect(await findersOf()).toEqual([...everybody, eve]);
    expect(await Promise.all([ann, dan, ben, cleo, eve].map((one) => list(one)))).toEqual([
      ...[0, 0, 1, 0, 1],
    ]);
  });
});

describe('erasing a further recipient of a send', () => {
  const store = async () => {
    const world = prepare();
    const send = await storeEmail(world.table, world.organizationId, {
      ...named,
      ...{ subject: `For ${ben}`, suppressedRecipients: [], headers: {}, metadata: { cc: ben } },
      idempotencyKey: `key-${newNonce()}`,
    });
    const { table, items, anonymise } = world;
    return {
      ...world,
      send,
      erase: (on = table) => anonymise(send, { identity: ben }, erasedAt, on),
      read: () => getTimeline(table, send.id, erasedAt),
      keysHoldingBen: () => keysOfThoseHolding(items(), ben),
    };
  };

  it('leaves no trace of them, and keeps everybody else as before', async () => {
    const { erase, read, findersOf, keysHoldingBen } = await store();
    const before = await read();

    const outcome = await erase();

    expect(outcome).toEqual({ kind: 'anonymised' });
    expect(keysHoldingBen()).toEqual([]);
    expect(await findersOf()).toEqual([ann, dan, cleo]);
    const text = JSON.stringify(before).replaceAll(ben, 'erased');
    expect(await read()).toEqual(JSON.parse(text));
  });

  it('deletes no send to the others', async () => {
    const { anonymise, send, read } = await store();

    await anonymise(send, { identity: ben, expires: true });

    expect(await read()).toMatchObject({ send: { toEmail: ann, cc: ['erased'] } });
  });

  it('deletes no send whose first recipient was erased before', async () => {
    const { anonymise, send, read, findersOf } = await store();
    await anonymise(send, { identity: ann });

    await anonymise(send, { identity: ben, expires: true });

    expect(await read()).toMatchObject({ send: { toEmail: 'erased', cc: ['erased'] } });
    expect(await findersOf()).toEqual([dan, cleo]);
  });

  it('lets the unfinished erasure of the first recipient finish', async () => {
    const { table, build, anonymise, findersOf } = prepare();
    const send = build();
    await claimSend(table, send);
    await anonymise(send, { identity: ann, expires: true }, claimNow + 1_000);

    await anonymise(send, { identity: ben, expires: true }, send.leaseExpiresAt);
    const finders = await findersOf();
    await anonymise(send, { identity: ann, expires: true }, send.leaseExpiresAt);

    expect(finders).toEqual([ann, dan, cleo]);
    expect(await getTimeline(table, send.id, erasedAt)).toBeUndefined();
  });

  it.each([1, 2, 3, 4, 5])(
    'is continued by a repetition when the process died before write %d',
    async (death) => {
      const { open, erase, findersOf, keysHoldingBen } = await store();

      const died = await erase(dyingTable(death, open)).then(
        () => false,
        (error: unknown) => error instanceof Death,
      );
      const finders = await findersOf();
      const again = await erase();

      if (died) expect(finders).toContain(ben);
      expect(again).toEqual({ kind: 'anonymised' });
      expect(keysHoldingBen()).toEqual([]);
      expect(await findersOf()).toEqual([ann, dan, cleo]);
    },
  );

  it.each([1, 2, 3])(
    'has the same result when done twice at once, before write %d',
    async (write) => {
      const { open, erase, findersOf, keysHoldingBen } = await store();
      const intercepted = interceptWrites(async (number) => {
        if (number === write) await erase();
      }, open);

      const outcome = await erase(intercepted);

      expect(outcome).toEqual({ kind: 'anonymised' });
      expect(keysHoldingBen()).toEqual([]);
      expect(await findersOf()).toEqual([ann, dan, cleo]);
    },
  );

  it.each([1, 2, 3])(
    'leaves nobody when all are erased at once, before write %d of the other',
    async (write) => {
      const { open, anonymise, send, table, items, findersOf } = await store();
      const eraseOne = (identity: string, on = table) =>
        anonymise(send, { identity }, erasedAt, on);
      const intercepted = interceptWrites(async (number) => {
        if (number !== write) return;
        for (const one of [dan, cleo, ann]) await eraseOne(one);
      }, open);

      await eraseOne(ben, intercepted);

      expect(keysOfThoseHolding(items(), '@example.org')).toEqual([]);
      expect(await findersOf()).toEqual([]);
    },
  );

  it.each([1, 2])(
    'keeps the send findable for them when a next attempt overtakes before write %d',
    async (write) => {
      const { table, open, build, anonymise, findersOf, organizationId } = prepare();
      const failed = build();
      await claimSend(table, failed);
      await recordFailure(table, failed, 'MessageRejected', claimNow + 1);
      const intercepted = interceptWrites(async (number) => {
        if (number === write) await claimSend(table, build());
      }, open);

      const outcome = await anonymise(failed, { identity: ben }, erasedAt, intercepted);

      expect(organizationIdOf(failed.id)).toBe(organizationId);
      expect(outcome.kind).toBe('under_way');
      expect(await findersOf()).toEqual(everybody);
    },
  );

  it('keeps the send findable while an attempt is under way, until that is over', async () => {
    const { table, build, anonymise, findersOf, items } = prepare();
    const send = build();
    await claimSend(table, send);
    const identity = cleo;

    const outcome = await anonymise(send, { identity }, claimNow + 1_000);
    const finders = await findersOf();
    const later = await anonymise(send, { identity }, send.leaseExpiresAt + 1);

    expect(outcome).toEqual({ kind: 'under_way', until: send.leaseExpiresAt });
    expect(finders).toEqual(everybody);
    expect(later).toEqual({ kind: 'anonymised' });
    expect(keysOfThoseHolding(items(), identity)).toEqual([]);
    expect(await findersOf()).toEqual([ann, dan, ben]);
  });

  it('finds the first recipient of an earlier attempt', async () => {
    const { table, build, anonymise, findersOf } = prepare();
    const failed = build({ cc: [], bcc: [] });
    await claimSend(table, failed);
    await recordFailure(table, failed, 'MessageRejected', claimNow + 1);
    await claimSend(table, build({ toEmail: eve, moreTo: [], cc: [], bcc: [] }));

    const before = await findersOf();
    await anonymise(failed, { identity: ann });

    expect(before).toEqual([ann, dan, eve]);
    expect(await findersOf()).toEqual([dan, eve]);
  });

  it('lets a commit that read them write rows without them', async () => {
    const { table, anonymise, items, organizationId } = prepare();
    const claim = buildEmail(organizationId, { ...named, subject: 'Hello' });
    await claimSend(table, claim);
    await anonymise(claim, { identity: ben }, claimNow + 1_000);

    const outcome = await commitAcceptance(
      table,
      claim,
      { providerMessageId: 'message', at: claimNow + 2_000 },
      [],
    );

    expect(outcome.kind).toBe('settled');
    expect(keysOfThoseHolding(items(), ben)).toEqual([]);
  });
});
