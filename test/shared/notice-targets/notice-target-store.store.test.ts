import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { listAuditEntries } from '#shared/audit/audit-store';
import type { NoticeTarget } from '#shared/notice-targets/notice-target';
import {
  fileForTargets,
  readTargets,
  recordTargetState,
  replaceTargets,
} from '#shared/notice-targets/notice-target-store';
import type { NoticeCause } from '#shared/notices/notice';
import { putOrganization } from '#shared/organizations/organization-store';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { buildNotice, noticeNow as now } from '../../support/notice-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

const slackAt = (url: string): NoticeTarget => ({
  type: 'slack',
  url: `https://hooks.slack.com/${url}`,
  createdAt: 1,
  updatedAt: 1,
});
const entryOf = (id: OrganizationId) =>
  newAuditEntry(id, 'operator', { action: 'notice_target.put', target: 'team' }, now);

async function newOrganization(): Promise<OrganizationId> {
  const organization = buildOrganization();
  await putOrganization(table, organization);
  return organization.id;
}

async function replace(id: OrganizationId, targets: Readonly<Record<string, NoticeTarget>>) {
  return replaceTargets(table, id, await readTargets(table, id), targets, entryOf(id));
}

describe('the targets of an organization', () => {
  it('are none at first, and then what was stored, with an audit entry for each change', async () => {
    const id = await newOrganization();
    expect(await readTargets(table, id)).toEqual({ targets: {}, version: 0, states: new Map() });

    const targets = { team: slackAt('a') };
    expect(await replace(id, targets)).toBe('stored');

    expect(await readTargets(table, id)).toEqual({ targets, version: 1, states: new Map() });
    const { entries } = await listAuditEntries(table, id, { before: undefined, limit: 5 }, now);
    expect(entries).toHaveLength(1);
  });

  it('are changed by one of two at once', async () => {
    const id = await newOrganization();
    const before = await readTargets(table, id);

    const outcomes = await Promise.all(
      ['a', 'b'].map((url) =>
        replaceTargets(table, id, before, { team: slackAt(url) }, entryOf(id)),
      ),
    );

    expect(outcomes.toSorted()).toEqual(['changed_meanwhile', 'stored']);
  });

  it('are not stored for an organization that is gone', async () => {
    const { id } = buildOrganization();

    expect(await replace(id, { team: slackAt('a') })).toBe('changed_meanwhile');
  });
});

describe('what came of a target’s notices', () => {
  it('stays while it’s the same place', async () => {
    const id = await newOrganization();
    await replace(id, { team: slackAt('a'), other: slackAt('o') });
    const found = await readTargets(table, id);
    const state = { lastFailure: { at: now, reason: 'timeout' } };
    await recordTargetState(table, id, 'team', found, state);
    await recordTargetState(table, id, 'other', found, { lastSentAt: now });

    await replace(id, { team: slackAt('b'), other: { ...slackAt('o'), updatedAt: 2 } });

    expect((await readTargets(table, id)).states).toEqual(
      new Map([['other', { lastSentAt: now }]]),
    );
  });

  it('isn’t recorded for one that has changed since', async () => {
    const id = await newOrganization();
    await replace(id, { team: slackAt('a') });
    const found = await readTargets(table, id);
    await replace(id, {});

    await recordTargetState(table, id, 'team', found, { lastSentAt: now });

    expect((await readTargets(table, id)).states).toEqual(new Map());
  });
});

describe('the copies of a notice', () => {
  it('are filed once, all or none', async () => {
    const notice = buildNotice(await newOrganization());

    expect(await fileForTargets(table, notice, ['a', 'b'])).toBe('filed');
    expect(await fileForTargets(table, notice, ['a', 'b'])).toBe('known');
    // One that was added since gets later ones.
    expect(await fileForTargets(table, notice, ['a', 'c'])).toBe('known');
  });

  it('are filed once by two runs at once', async () => {
    const notice = buildNotice(await newOrganization());

    const outcomes = await Promise.all([
      fileForTargets(table, notice, ['a']),
      fileForTargets(table, notice, ['a']),
    ]);

    expect(outcomes.toSorted()).toEqual(['filed', 'known']);
  });

  it('leave room for the others if users can multiply their cause', async () => {
    const id = await newOrganization();
    const file = (cause: NoticeCause, about: number) =>
      fileForTargets(table, buildNotice(id, { cause, about: `${about}` }), ['a']);
    for (let about = 0; about < 10; about += 1) await file('sensitive_change', about);

    expect(await file('sensitive_change', 10)).toBe('over_limit');
    expect(await file('identity_lost', 0)).toBe('filed');
  });

  it('are of twenty notices a day', async () => {
    const id = await newOrganization();
    const outcomes: string[] = [];
    for (let about = 0; about < 22; about += 1) {
      outcomes.push(await fileForTargets(table, buildNotice(id, { about: `${about}` }), ['a']));
    }

    expect(outcomes).toEqual([
      ...Array.from({ length: 20 }, () => 'filed'),
      ...Array.from({ length: 2 }, () => 'over_limit'),
    ]);
  });
});
