import type { DailyLimit } from '#shared/config/day-quotas';
import { quotaNearPercent } from '#shared/config/organization-limits';
import type { ErrorCode } from '#shared/errors/errors';
import { type Notice, newNotice } from '#shared/notices/notice';
import type { Day } from '#shared/timing/day';
import type { OrganizationId } from '#shared/tokens/resource-id';

/** What an organization has used of a limit of a day. */
export type LimitUse = {
  readonly limit: DailyLimit;
  readonly day: Day;
  readonly used: number;
  readonly most: number;
  /** What is left was too little for a request. */
  readonly isFull?: boolean | undefined;
};

/** 100 also when what is left was too little. */
export const quotaPercent = ({ used, most, isFull = false }: LimitUse): number =>
  Math.max(Math.floor((used * 100) / most), isFull ? 100 : 0);

const words = {
  recipientsPerDay: {
    counted: 'recipients',
    refused: 'sends',
    code: 'daily_recipients_exhausted',
  },
  uploadBytesPerDay: {
    counted: 'bytes of uploads',
    refused: 'uploads that don’t fit',
    code: 'upload_limit_reached',
  },
  changesPerDay: { counted: 'changes', refused: 'changes', code: 'change_limit_reached' },
  contactsPerDay: {
    counted: 'imported addresses',
    refused: 'imports that don’t fit',
    code: 'contact_limit_reached',
  },
  waitingBytesPerDay: {
    counted: 'bytes of scheduled and queued emails',
    refused: 'scheduled and queued emails that don’t fit',
    code: 'waiting_limit_reached',
  },
} as const satisfies Readonly<
  Record<DailyLimit, { counted: string; refused: string; code: ErrorCode }>
>;

const figure = (number: number): string => number.toLocaleString('en');

/** The notice due for a day's use, if any: one at 80 % and one at 100 %, each once a day. */
export function quotaNotice(
  organizationId: OrganizationId,
  use: LimitUse,
  now: number,
): Notice | undefined {
  const percent = quotaPercent(use);
  if (percent < quotaNearPercent) return undefined;
  const isReached = percent >= 100;
  const { counted, refused, code } = words[use.limit];
  const limit = `today’s limit of ${figure(use.most)} ${counted}`;
  return newNotice(
    organizationId,
    {
      cause: 'day_quota',
      about: `${use.limit}-${isReached ? 100 : quotaNearPercent}`,
      subject: isReached ? `You have reached ${limit}` : `You have used ${percent}% of ${limit}`,
      text: `Your organization’s ${use.day} (UTC) has ${figure(use.used)} ${counted} so far. Its daily limit is ${figure(use.most)}.

${isReached ? 'Until midnight (UTC)' : 'Beyond it, until midnight (UTC)'}, ${refused} are refused with ${code}.

If you need more, ask the operator of the service. If you didn’t expect this, look at what your API keys do: one may have leaked.`,
    },
    now,
  );
}
