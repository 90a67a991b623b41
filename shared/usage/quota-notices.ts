import { quotaNearPercent } from '#shared/config/organization-limits';
import { type Notice, newNotice } from '#shared/notices/notice';
import type { DayUse } from '#shared/organizations/organization-limits';
import type { OrganizationId } from '#shared/tokens/resource-id';

/** How much of its recipients a day an organization has used, in percent. */
export const quotaPercent = ({ recipients }: Pick<DayUse, 'recipients'>, limit: number): number =>
  Math.floor((recipients * 100) / limit);

/** The notice due for a day's use, if any: one at 80 % and one at 100 %, each once a day. */
export function quotaNotice(
  organizationId: OrganizationId,
  use: DayUse,
  limit: number,
  now: number,
): Notice | undefined {
  const percent = quotaPercent(use, limit);
  if (percent < quotaNearPercent) return undefined;
  const isUsedUp = percent >= 100;
  return newNotice(
    organizationId,
    {
      cause: 'day_quota',
      about: isUsedUp ? '100' : `${quotaNearPercent}`,
      subject: isUsedUp
        ? `You have used up today’s limit of ${limit} recipients`
        : `You have used ${percent}% of today’s limit of ${limit} recipients`,
      text: `Your emails of ${use.day} (UTC) went to ${use.recipients} recipients. The daily limit of your organization is ${limit}.

${isUsedUp ? 'Further sends' : 'Once it’s used up, sends'} are refused with daily_recipients_exhausted until midnight (UTC).

If you need more, ask the operator of the service. If you didn’t expect this, look at which key sends: an API key may have leaked.`,
    },
    now,
  );
}
