import { describe, expect, it } from 'vitest';
import { mailboxOf, requestConfirmation } from '#shared/notices/confirmation-store';
import type { Organization } from '#shared/organizations/organization';
import { randomBase32 } from '#shared/tokens/base32';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { dueNoticesIn } from '../../support/notice-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openOwnTable } from '../../support/own-database.ts';

// Due notices are read in pages, which those of other tests would fill.
const table = await openOwnTable();
const now = 1_750_000_000_000;
const dayMs = 86_400_000;

const newAddress = () => `${randomBase32()}@example.com`;
const newAsker = (noticeEmail = newAddress()): Organization =>
  buildOrganization({ id: newOrganizationId(), noticeEmail });

const requestsOf = async ({ id }: Organization, at = now) =>
  (await dueNoticesIn(table, at + 10)).filter(({ organizationId }) => organizationId === id);

describe('the request for a confirmation', () => {
  it('is filed three times a day by an organization, to whatever addresses', async () => {
    const organization = newAsker();
    const askers = Array.from({ length: 4 }, () => ({
      ...organization,
      noticeEmail: newAddress(),
    }));

    const outcomes = [];
    for (const [index, asker] of askers.entries()) {
      outcomes.push(await requestConfirmation(table, asker, now + index));
    }
    const tomorrow = await requestConfirmation(table, organization, now + dayMs);

    expect(outcomes).toEqual(['filed', 'filed', 'filed', 'too_many']);
    expect(await requestsOf(organization)).toHaveLength(3);
    expect(tomorrow).toBe('filed');
  });

  it('reaches a mailbox three times a day, by however many organizations and spellings', async () => {
    const name = randomBase32();
    const spellings = ['', '+a', '+b', '+c', '+d'].map((tag) => `${name}${tag}@Example.com`);
    const askers = spellings.map((address) => newAsker(address));

    const outcomes = [];
    for (const asker of askers) outcomes.push(await requestConfirmation(table, asker, now));

    expect(outcomes).toEqual(['filed', 'filed', 'filed', 'too_many', 'too_many']);
    expect(await Promise.all(askers.slice(3).map((asker) => requestsOf(asker)))).toEqual([[], []]);
  });

  it('holds no address', async () => {
    const organization = newAsker();
    await requestConfirmation(table, organization, now);

    expect(JSON.stringify(await requestsOf(organization))).not.toContain('@');
  });
});

describe('the mailbox of an address', () => {
  it.each([
    ['ann@example.com', 'ann@example.com'],
    ['Ann.Lee+shop@Example.com', 'annlee@example.com'],
    ['"a@b"@example.com', '"a@b"@example.com'],
  ])('%s is %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });
});
