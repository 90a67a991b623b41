import { describe, expect, it } from 'vitest';
import { limitOrganization, limitTogether } from '#shared/access/limit-sending';
import { countSpanOfOrganization } from '#shared/access/rate-window-store';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { serviceErrorOf } from '../../support/service-error.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const sending = { table, limitsOfDeployment: {} };
const day = '2026-11-22';
const now = Date.parse(day) + 2_000;
const emails = (count: number): number[] => Array.from({ length: count }, () => 1);

describe.each([
  ['real', { sendsPerSecond: 1 }, {}],
  ['test', { recipientsPerDay: 10 }, { test: true }],
] as const)('a strict batch of %s emails to send now', (_, limits, mode) => {
  const open = () => {
    const organization = { id: newOrganizationId(), limits };
    return {
      sendOne: () => limitOrganization(organization, 1, now, sending, mode),
      sendBatch: (count: number) => limitTogether(organization, emails(count), now, sending, mode),
    };
  };

  it('uses no quota while it is refused', async () => {
    const { sendOne, sendBatch } = open();
    await sendOne();
    for (let tries = 1; tries <= 3; tries += 1) await serviceErrorOf(() => sendBatch(10));

    for (let others = 2; others <= 10; others += 1) await sendOne();

    await expect(sendOne()).rejects.toThrow('Nothing was sent');
  });

  it('is sent while all fit, and uses the quota', async () => {
    const { sendOne, sendBatch } = open();
    await sendBatch(6);

    const error = await serviceErrorOf(() => sendBatch(5));
    await sendBatch(4);

    expect(error.message).toContain('room for 5 recipients at once');
    await expect(sendOne()).rejects.toThrow('Nothing was sent');
  });

  it('is sent when the limit is crossed by its last email, as that email alone would be', async () => {
    const organization = { id: newOrganizationId(), limits };

    await limitTogether(organization, [4, 5, 50], now, sending, mode);

    await expect(limitOrganization(organization, 1, now, sending, mode)).rejects.toThrow(
      'Nothing was sent',
    );
  });
});

describe('a strict batch that exceeds the day before its last email', () => {
  it('uses nothing of the rate limit', async () => {
    const limits = { sendsPerSecond: 1, recipientsPerDay: 10 };
    const organization = {
      id: newOrganizationId(),
      limits,
      dayUse: { day, recipients: 5, stored: 5 },
    };

    const error = await serviceErrorOf(() =>
      limitTogether(organization, emails(6), now, sending, {}),
    );

    expect(error.code).toBe('daily_recipients_exhausted');
    expect(await countSpanOfOrganization(table, organization.id, now, 1)).toBe(0);
  });
});
