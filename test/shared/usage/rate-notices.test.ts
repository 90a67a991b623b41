import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { rateNotices } from '#shared/usage/rate-notices';

const organizationId = newOrganizationId();
const now = Date.UTC(2026, 10, 21);

const causesOf = (sends: number, bounced: number, complained = 0) =>
  rateNotices(
    organizationId,
    '2026-11',
    { recipients: sends, bouncedRecipients: bounced, complainedRecipients: complained },
    now,
  ).map(({ cause }) => cause);

describe("an organization's rate notice", () => {
  it.each([
    [99, 99, 99, []],
    [100, 3, 0, []],
    [100, 4, 0, ['bounce_rate']],
    [1_000_000, 39_999, 799, []],
    [10_000, 0, 8, ['complaint_rate']],
    [100, 100, 1, ['bounce_rate', 'complaint_rate']],
  ])(
    'for %d sends with %d bounces and %d complaints is %j',
    (sends, bounced, complained, causes) => {
      expect(causesOf(sends, bounced, complained)).toEqual(causes);
    },
  );

  it("has the month's figures, and is sent once for the month and the day", () => {
    const counts = { recipients: 1_000, bouncedRecipients: 45, complainedRecipients: 0 };

    const [notice] = rateNotices(organizationId, '2026-11', counts, now);

    expect(notice).toMatchObject({
      about: '2026-11',
      day: '2026-11-21',
      subject: 'Your bounce rate is 4.5%',
    });
    expect(notice?.text).toContain('45 of the 1000 recipients');
  });

  it('is never sent below a hundred sends, and always above the limits', () => {
    const count = fc.nat(5_000);
    fc.assert(
      fc.property(count, count, count, (sends, bounced, complained) => {
        const causes = causesOf(sends, bounced, complained);

        if (sends < 100) expect(causes).toEqual([]);
        else {
          if (bounced >= sends * 0.05) expect(causes).toContain('bounce_rate');
          if (complained >= sends * 0.001) expect(causes).toContain('complaint_rate');
        }
      }),
    );
  });
});
