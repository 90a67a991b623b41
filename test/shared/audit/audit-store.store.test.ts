import { describe, expect, it } from 'vitest';
import { type Actor, newAuditEntry } from '#shared/audit/audit-entry';
import { listAuditEntries, putAuditEntry } from '#shared/audit/audit-store';
import { transactWrite } from '#shared/table/writes';
import {
  newApiKeyId,
  newOrganizationId,
  newSessionId,
  type OrganizationId,
  personalKeyIdOf,
} from '#shared/tokens/resource-id';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const day = 86_400_000;
const now = Date.UTC(2026, 10, 21);

const changed = async (organizationId = newOrganizationId(), at = now, actor?: Actor) => {
  const change = { action: 'organization.updated', target: organizationId, after: { name: 'New' } };
  const entry = newAuditEntry(organizationId, actor ?? newApiKeyId(organizationId), change, at);
  await transactWrite(table, [putAuditEntry(entry)]);
  return entry;
};

describe('the changes of an organization', () => {
  it('are listed newest first, page by page', async () => {
    const organizationId = newOrganizationId();
    const first = await changed(organizationId, now);
    const second = await changed(organizationId, now + 1, 'operator');
    const third = await changed(organizationId, now + 2);

    const page = await listAuditEntries(
      table,
      organizationId,
      { before: undefined, limit: 2 },
      now,
    );
    const rest = await listAuditEntries(
      table,
      organizationId,
      { before: page.next, limit: 2 },
      now,
    );

    expect(page.entries).toEqual([third, second]);
    expect(rest).toEqual({ entries: [first], next: undefined });
  });

  it('are not those of another organization', async () => {
    await changed();

    const page = await listAuditEntries(
      table,
      newOrganizationId(),
      { before: undefined, limit: 2 },
      now,
    );

    expect(page.entries).toEqual([]);
  });

  it('are forgotten after 400 days', async () => {
    const organizationId = newOrganizationId();
    const entry = await changed(organizationId);
    const range = { before: undefined, limit: 2 };

    const before = await listAuditEntries(table, organizationId, range, now + 400 * day - 1_000);
    const after = await listAuditEntries(table, organizationId, range, now + 400 * day);

    expect(before.entries).toEqual([entry]);
    expect(after.entries).toEqual([]);
  });
});

describe('what one person did', () => {
  const actsOf = (organizationId: OrganizationId, email: string) => {
    const person = personalKeyIdOf(organizationId, email);
    const actor: Actor = { key: person, session: newSessionId(organizationId), isPerson: true };
    return { person, act: (at: number) => changed(organizationId, at, actor) };
  };

  it('fills each page, however much others did in between', async () => {
    const organizationId = newOrganizationId();
    const ann = actsOf(organizationId, 'ann@example.com');
    const entries = [];
    for (let at = 0; at < 30; at += 1) {
      if (at % 10 === 0) entries.unshift(await ann.act(now + at));
      else await changed(organizationId, now + at);
    }

    const range = { before: undefined, limit: 2, person: ann.person };
    const page = await listAuditEntries(table, organizationId, range, now);
    const rest = await listAuditEntries(
      table,
      organizationId,
      { ...range, before: page.next },
      now,
    );

    expect(page.entries).toEqual(entries.slice(0, 2));
    expect(rest).toEqual({ entries: entries.slice(2), next: undefined });
  });

  it('isn’t what another person did, nor the same person elsewhere', async () => {
    const organizationId = newOrganizationId();
    const elsewhere = newOrganizationId();
    const ann = actsOf(organizationId, 'ann@example.com');
    const bea = actsOf(organizationId, 'bea@example.com');
    await ann.act(now);
    await actsOf(elsewhere, 'ann@example.com').act(now);

    const range = { before: undefined, limit: 2 };
    const pages = await Promise.all([
      listAuditEntries(table, organizationId, { ...range, person: bea.person }, now),
      listAuditEntries(table, elsewhere, { ...range, person: ann.person }, now),
    ]);

    expect(pages.map(({ entries }) => entries)).toEqual([[], []]);
  });

  it('is forgotten after 400 days', async () => {
    const organizationId = newOrganizationId();
    const ann = actsOf(organizationId, 'ann@example.com');
    await ann.act(now);
    const range = { before: undefined, limit: 2, person: ann.person };

    const { entries } = await listAuditEntries(table, organizationId, range, now + 400 * day);

    expect(entries).toEqual([]);
  });
});
