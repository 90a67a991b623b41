import * as z from 'zod/mini';
import { quotaNearPercent } from '#shared/config/organization-limits';
import { type DailyLimit, requestQuotas } from '#shared/config/request-quotas';
import type { ErrorCode } from '#shared/errors/errors';
import { type Notice, newNotice } from '#shared/notices/notice';
import { dayQuotaSortKeyPrefix, organizationOfPartition } from '#shared/table/keys';
import { type Day, dayMs, dayOf } from '#shared/timing/day';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { changeSchema, number } from './stream-record.ts';

export type LimitUse = {
  readonly limit: DailyLimit;
  readonly day: Day;
  readonly used: number;
  readonly most: number;
  /** The rest was too little for a request. */
  readonly isFull?: boolean | undefined;
};

/** Also 100 if the rest was too little for a request. */
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
    counted: 'addresses imported, unsubscribed and erased',
    refused:
      'imports that don’t fit, unsubscriptions by your programs, and erasures of unknown addresses',
    code: 'contact_limit_reached',
  },
  waitingBytesPerDay: {
    counted: 'bytes of scheduled and queued emails',
    refused: 'scheduled and queued emails that don’t fit',
    code: 'waiting_limit_reached',
  },
  requestedDeliveriesPerDay: {
    counted: 'webhook tests and repeated deliveries',
    refused: 'tests and repetitions that don’t fit',
    code: 'delivery_limit_reached',
  },
  signInLinksPerDay: {
    counted: 'sign-in links',
    refused: 'new links',
    code: 'sign_in_link_limit_reached',
  },
} as const satisfies Readonly<
  Record<DailyLimit, { counted: string; refused: string; code: ErrorCode }>
>;

const figure = (number: number): string => number.toLocaleString('en');

/** The notice due for a day's use, if any: one at 80% and one at 100%, each once a day. */
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
      text: `So far on ${use.day} (UTC), your organization has used ${figure(use.used)} of its daily limit of ${figure(use.most)} ${counted}.

${isReached ? 'Until midnight (UTC)' : 'Beyond it, until midnight (UTC)'}, ${refused} are refused with ${code}.

If you need more, ask the operator of the service. If you didn’t expect this, look at what your API keys do: one may have leaked.`,
    },
    now,
  );
}

/** How a batch of the stream changed an organization's use of a day. */
export type QuotaTally = {
  readonly organizationId: OrganizationId;
  readonly use: LimitUse;
  readonly usedBefore: number;
};

/** Limits that requests count themselves: `access/request-quota-store.ts`. */
export function tallyQuotas(records: readonly unknown[]): readonly QuotaTally[] {
  const tallies = new Map<string, QuotaTally>();
  for (const record of records) {
    const tally = readQuotaChange(record);
    if (tally === undefined) continue;
    const { organizationId, use } = tally;
    const name = [organizationId, use.limit, use.day].join(' ');
    const before = tallies.get(name);
    tallies.set(name, before === undefined ? tally : joined(before, tally));
  }
  return [...tallies.values()];
}

const joined = (before: QuotaTally, { use, ...tally }: QuotaTally): QuotaTally => ({
  ...tally,
  usedBefore: before.usedBefore,
  use: { ...use, isFull: use.isFull || before.use.isFull },
});

const imageSchema = z.object({
  used: z.optional(number),
  most: z.optional(number),
  /** The limit at which the day was last found full. */
  fullAt: z.optional(number),
});

/** Ignores deletions: they use nothing. */
function readQuotaChange(record: unknown): QuotaTally | undefined {
  const change = changeSchema.safeParse(record).data?.dynamodb;
  if (change === undefined) return undefined;
  const { Keys, OldImage = {}, NewImage = {} } = change;
  const organizationId = organizationOfPartition(Keys.pk.S);
  const limit = quotaAt(Keys.sk.S);
  const now = imageSchema.safeParse(NewImage).data;
  const before = imageSchema.safeParse(OldImage).data;
  if (organizationId === undefined || limit === undefined || !now?.used || !now.most) {
    return undefined;
  }
  const isFull = now.fullAt !== undefined && now.fullAt !== before?.fullAt;
  return {
    organizationId,
    usedBefore: before?.used ?? 0,
    use: { ...limit, used: now.used, most: now.most, isFull },
  };
}

function quotaAt(sortKey: string): Pick<LimitUse, 'limit' | 'day'> | undefined {
  for (const [quota, limit] of Object.entries(requestQuotas)) {
    const prefix = dayQuotaSortKeyPrefix(quota);
    if (!sortKey.startsWith(prefix)) continue;
    return { limit, day: dayOf(Number(sortKey.slice(prefix.length)) * dayMs) };
  }
  return undefined;
}
