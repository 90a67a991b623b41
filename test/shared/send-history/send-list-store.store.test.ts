import { describe, expect, it } from 'vitest';
import {
  findSends,
  getListedSends,
  listedAt,
  readSends,
} from '#shared/send-history/send-list-store';
import { toSeconds } from '#shared/table/expiry';
import {
  contactIdOf,
  newApiKeyId,
  newOrganizationId,
  type OrganizationId,
} from '#shared/tokens/resource-id';
import { buildClaim, claimNow, claimSend } from '../../support/claim-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const now = () => claimNow;

async function storeSends(organizationId: OrganizationId, count: number) {
  const sends = Array.from({ length: count }, (_, index) =>
    buildClaim({
      organizationId,
      idempotencyKey: `key-${index}`,
      claimedAt: claimNow - index,
      toEmail: index % 2 === 0 ? 'Ann@example.com' : 'ben@example.org',
      apiKeyId: newApiKeyId(organizationId),
    }),
  );
  await Promise.all(sends.map((send) => claimSend(table, send)));
  return sends;
}

describe("an organization's sends", () => {
  it('are read newest first over all shards, page by page, each once', async () => {
    const organizationId = newOrganizationId();
    const sends = await storeSends(organizationId, 25);
    await storeSends(newOrganizationId(), 3);

    const first = await readSends(table, organizationId, { limit: 10 }, now);
    const second = await readSends(table, organizationId, { limit: 10, before: first.next }, now);
    const third = await readSends(table, organizationId, { limit: 10, before: second.next }, now);

    expect([...first.found, ...second.found, ...third.found]).toEqual(sends);
    expect(third.next).toBeUndefined();
  });

  it("are found by recipient, ignoring the address's case", async () => {
    const organizationId = newOrganizationId();
    const sends = await storeSends(organizationId, 5);
    const to = contactIdOf(organizationId, 'ann@example.com');

    const { found } = await readSends(table, organizationId, { limit: 10, to }, now);

    expect(found).toEqual(sends.filter((_, index) => index % 2 === 0));
  });

  it('are found between two times', async () => {
    const organizationId = newOrganizationId();
    const sends = await storeSends(organizationId, 6);
    const window = { since: claimNow - 4, until: claimNow - 1 };

    const { found } = await readSends(table, organizationId, { limit: 10, ...window }, now);

    expect(found).toEqual(sends.slice(2, 5));
  });

  it('are found by the key that made them', async () => {
    const organizationId = newOrganizationId();
    const [, searched] = await storeSends(organizationId, 3);

    const { found } = await readSends(
      table,
      organizationId,
      { limit: 10, apiKeyId: searched?.apiKeyId },
      now,
    );

    expect(found).toEqual([searched]);
  });

  it("are left out once expired, and an earlier send's entry doesn't bring its successor", async () => {
    const organizationId = newOrganizationId();
    const expired = buildClaim({ organizationId, expiresAt: toSeconds(claimNow) });
    await claimSend(table, expired);
    const listed = await findSends(table, organizationId, { before: undefined, limit: 10 });
    const successor = buildClaim({ organizationId, claimedAt: claimNow + 1_000 });

    const before = await getListedSends(table, listed, claimNow);
    await claimSend(table, successor);
    const after = await getListedSends(table, listed, claimNow);

    expect(listed.map(({ position }) => position)).toEqual([listedAt(expired)]);
    expect(before).toEqual([undefined]);
    expect(after).toEqual([undefined]);
  });
});
