import * as z from 'zod/mini';
import { knowsSesPricePlan } from '#shared/aws/settings';
import { type SesPlan, sesPricePlans } from '#shared/config/ses-prices';
import { defineEndpoint, type RequestTo, type Service } from '#shared/endpoints/endpoint';
import { limitsInForce } from '#shared/organizations/limits-in-force';
import { getOrganization } from '#shared/organizations/organization-store';
import { dayOf } from '#shared/timing/day';
import type { OrganizationId } from '#shared/tokens/resource-id';
import {
  type DayPeriod,
  dayPeriodOf,
  daysBeforePeriod,
  defaultPeriodDays,
  maxPeriodDays,
} from '#shared/usage/day';
import { bucketFactor } from '#shared/usage/delivery-times';
import { metricsKeptDays, readHourMetrics } from '#shared/usage/metrics-store';
import { leastDeliveriesShown, receiversOf } from '#shared/usage/metrics-summary';
import {
  hoursOfMonth,
  type Month,
  maxPeriodMonths,
  monthOf,
  monthOfDay,
  monthsBeforePeriod,
  periodOf,
} from '#shared/usage/month';
import { type MonthCost, monthCost } from '#shared/usage/month-cost';
import { busiestTags, maxTags, type TagSummary } from '#shared/usage/tag-summary';
import { readTagUsage } from '#shared/usage/tag-usage-store';
import { sumUsage, type UsageCounts } from '#shared/usage/usage-counts';
import { readUsage, readUsageDays } from '#shared/usage/usage-store';
import {
  type DailySummary,
  type Figures,
  sumFigures,
  summarizeDays,
  summarizeUsage,
  type UsageSummary,
} from '#shared/usage/usage-summary';
import { messagesOf } from '#shared/usage/webhook-messages';

const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));

const month = z.string().check(z.regex(/^\d{4}-\d{2}$/));

/** By month, a day means its month. By day, only a day is valid: `dayPeriodOf` checks that. */
const asked = z.string().check(
  z.regex(/^\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/, {
    error: 'must be a month, as YYYY-MM, or a day of it',
  }),
);

const times = { deliveries: z.int(), p50Ms: z.int(), p95Ms: z.int() };

const counts = {
  sends: z.int(),
  recipients: z.int(),
  global_endpoint_sends: z.int(),
  events: z.object({
    sent: z.int(),
    delivered: z.int(),
    bounced: z.int(),
    soft_bounced: z.int(),
    complained: z.int(),
    opened: z.int(),
    clicked: z.int(),
  }),
  attachments: z.int(),
  attachmentBytes: z.int(),
  timeToDelivery: z.nullable(z.object(times)),
};

const exampleCounts = {
  sends: 120,
  recipients: 134,
  global_endpoint_sends: 20,
  events: {
    sent: 120,
    delivered: 118,
    bounced: 2,
    soft_bounced: 1,
    complained: 0,
    opened: 60,
    clicked: 31,
  },
  attachments: 4,
  attachmentBytes: 36_000_000,
  timeToDelivery: { deliveries: 118, p50Ms: 1_240, p95Ms: 8_100 },
};

type TaggedMonth = TagSummary & { readonly month: Month };

type MonthOfDomains = ReturnType<typeof receiversOf> & { readonly month: Month };

type LastMonth = { readonly tags: TaggedMonth; readonly domains: MonthOfDomains };

/** Of the month that is under way, if the period ends with it. */
type Current = {
  readonly cost?: MonthCost & { readonly month: Month; readonly plan: SesPlan };
  readonly quota?: { readonly recipients: number; readonly recipientsPerDay: number | undefined };
};

/** The same number of months or days right before. */
type Previous = { readonly previous?: DayPeriod & { readonly total: Figures } };

const declaration = defineEndpoint({
  route: 'GET /api/v1/usage',
  access: { key: 'required', scope: ['usage_read', 'manage_organization'] },
  query: z.strictObject({
    by: z._default(z.enum(['month', 'day']), 'month'),
    from: z.optional(asked),
    to: z.optional(asked),
    previous: z.optional(z.enum(['true', 'false'])),
  }),
  answers: {
    200: {
      body: z.object({
        from: z.string(),
        to: z.string(),
        months: z.optional(z.array(z.object({ month, ...counts }))),
        days: z.optional(z.array(z.object({ day, ...counts }))),
        total: z.object(counts),
        previous: z.optional(
          z.object({ from: z.string(), to: z.string(), total: z.object(counts) }),
        ),
        tags: z.object({
          month,
          busiest: z.array(z.object({ name: z.string(), value: z.string(), sends: z.int() })),
          lacking: z.int(),
        }),
        cost: z.optional(
          z.object({
            month,
            plan: z.enum(sesPricePlans),
            ses: z.int(),
            service: z.int(),
            fixed: z.int(),
            total: z.int(),
            forecast: z.nullable(z.int()),
          }),
        ),
        quota: z.optional(z.object({ recipients: z.int(), recipientsPerDay: z.nullable(z.int()) })),
        receivingDomains: z.object({
          month,
          busiest: z.array(z.object({ domain: z.string(), ...times })),
          lacking: z.int(),
        }),
      }),
      description: 'The usage.',
      example: {
        from: '2026-11',
        to: '2026-11',
        months: [{ month: '2026-11', ...exampleCounts }],
        total: exampleCounts,
        previous: { from: '2026-10', to: '2026-10', total: exampleCounts },
        tags: {
          month: '2026-11',
          busiest: [{ name: 'kind', value: 'reset', sends: 80 }],
          lacking: 0,
        },
        cost: {
          month: '2026-11',
          ...{
            plan: 'essentials',
            ses: 2,
            service: 0,
            fixed: 1_475,
            total: 1_477,
            forecast: 1_478,
          },
        },
        quota: { recipients: 12, recipientsPerDay: 50_000 },
        receivingDomains: {
          month: '2026-11',
          busiest: [{ domain: 'gmail.com', deliveries: 64, p50Ms: 980, p95Ms: 4_600 }],
          lacking: 0,
        },
      },
    },
  },
  uses: { plan: knowsSesPricePlan },
  lambda: { stack: 'Account', tableActions: ['GetItem', 'Query'] },
  words: {
    section: 'Usage',
    summary: 'Read the usage of the organization',
    description: `By month, or by day with \`by=day\`, in UTC. \`from\` and \`to\` are inclusive and span at most ${maxPeriodMonths} months, or ${maxPeriodDays} days. \`from\` alone means until now, \`to\` alone means that one month or day, and neither means the current month, or the last ${defaultPeriodDays} days. Use before the deployment counted by day shows in months only. Figures lag by about a minute.`,
    fields: {
      by: '`month`, the default, or `day`.',
      from: 'The first month, as `YYYY-MM` (a day stands for its month), or the first day, as `YYYY-MM-DD`.',
      to: 'The last month or day, in the same form.',
      day: 'As `YYYY-MM-DD`, in UTC.',
      days: 'Only by day: every day of the period, with or without use.',
      month: 'As `YYYY-MM`, in UTC.',
      months: 'Only by month: every month of the period, with or without use.',
      total: 'The sums.',
      previous:
        'In the query: `true` adds the sums of the preceding period of the same length, for comparison. In the answer: these sums.',
      sends: 'Emails that SES accepted, each counted once, when SES accepted it.',
      recipients:
        'Their recipients: to, cc and bcc, without those left out as suppressed. SES bills and limits by this figure. 0 for use before the deployment counted it.',
      global_endpoint_sends: 'How many of them were sent through send-global.',
      events:
        'Counted when they happened. Repeated opens of an email, and repeated clicks of the same link, count once.',
      'events.bounced': 'Hard and soft.',
      'events.soft_bounced':
        'How many of them were soft: a later email may arrive. AWS’s limit is on the others. 0 for bounces before the deployment counted them separately.',
      tags: 'Sends by tag, of the last month of the period.',
      'tags.busiest': 'The ten tags with the most sends.',
      name: 'The name of the tag.',
      value: 'Its value.',
      'tags.lacking': `How many sends each of these figures may lack, at most. 0 for an organization that uses at most ${maxTags} different tags in a month; with more, at most a hundredth of all tags given.`,
      timeToDelivery: `How long these emails took from SES’s acceptance to their first delivery, by the day of the delivery; \`null\` if none was delivered, or none since the deployment measures it. The times are grouped, so each is exact to a factor of ${bucketFactor} at worst.`,
      deliveries: 'How many emails were delivered.',
      p50Ms: 'The median, in milliseconds.',
      p95Ms: 'The 95th percentile, in milliseconds.',
      receivingDomains:
        'Times by the domain of the recipients, of the last month of the period. Emails to several domains are left out.',
      'receivingDomains.busiest': `The ten domains with the most deliveries. A domain with fewer than ${leastDeliveriesShown} in the month isn’t shown, and none is for longer than ${metricsKeptDays} days.`,
      domain: 'The domain.',
      'receivingDomains.lacking':
        'How many emails each of these figures may lack, at most. 0 unless emails go to many domains within an hour.',
      cost: 'What the current month has cost so far, in US cents: an estimate by list prices. Absent unless the period is by month and ends with it.',
      plan: 'The deployment’s price plan of SES.',
      ses: 'SES’s price of these recipients.',
      service: 'Everything else on AWS that these emails and their webhooks cost.',
      fixed: 'What the deployment costs in any month, whoever uses it.',
      'cost.total': 'The sum.',
      forecast:
        'What the whole month costs if it goes on as it did so far; `null` on its first day.',
      quota: 'With `cost`: today’s use, in UTC, of the limit of a day.',
      recipientsPerDay: 'The limit, if there is one.',
      attachments: 'Files in these emails.',
      attachmentBytes: 'Their decoded size.',
    },
    example: { query: { from: '2026-11', to: '2026-11', previous: 'true' } },
  },
});

export const endpoint = defineEndpoint(declaration, async (request, capability) =>
  toView(await getUsage(request, capability)),
);

/** Tags and domains are those of the period's last month. */
export async function getUsage(
  request: RequestTo<typeof declaration>,
  { table, now: readClock, limitsOfDeployment, plan }: UsageReading,
): Promise<(UsageSummary | DailySummary) & LastMonth & Previous & Current> {
  const { organizationId } = request.caller;
  const now = readClock();
  const { by, from, to } = request.query;
  const isCompared = request.query.previous === 'true';
  const lastMonth = async (month: Month): Promise<LastMonth> => {
    const [tags, domains] = await Promise.all([
      readTagUsage(table, organizationId, month),
      readHourMetrics(table, organizationId, hoursOfMonth(month), ['receiver'], now),
    ]);
    return { tags: { month, ...tags }, domains: { month, ...receiversOf(domains) } };
  };
  if (by === 'day') {
    const days = dayPeriodOf({ from, to }, now);
    const before = daysBeforePeriod(days);
    const [parts, last] = await Promise.all([
      readUsageDays(table, organizationId, isCompared ? { ...days, from: before.from } : days),
      lastMonth(monthOfDay(days.to)),
    ]);
    const [earlier, asked] = splitAt(parts, ({ day }) => day < days.from);
    const previous = { ...before, total: sumFigures(earlier) };
    return { ...summarizeDays(days, asked), ...last, ...(isCompared && { previous }) };
  }
  const months = periodOf({ from: from && monthOfDay(from), to: to && monthOfDay(to) }, now);
  const before = monthsBeforePeriod(months);
  const isCurrent = months.to === monthOf(now);
  const [parts, last, own] = await Promise.all([
    readUsage(table, organizationId, isCompared ? { ...months, from: before.from } : months),
    lastMonth(months.to),
    isCurrent ? readOwn(table, organizationId, now) : undefined,
  ]);
  const [earlier, asked] = splitAt(parts, ({ month }) => month < months.from);
  const previous = { ...before, total: sumFigures(earlier) };
  const summary = summarizeUsage(months, asked);
  const used = summary.months.at(-1);
  const current = own &&
    used && {
      cost: {
        ...monthCost(
          plan,
          { ...used, webhookMessages: messagesOf(used, own.webhooks) },
          months.to,
          now,
        ),
        ...{ month: months.to, plan },
      },
      quota: {
        recipients: own.recipients,
        recipientsPerDay: limitsInForce(own.limits, limitsOfDeployment)('recipientsPerDay'),
      },
    };
  return { ...summary, ...last, ...current, ...(isCompared && { previous }) };
}

type UsageReading = Service & { readonly plan: SesPlan };

async function readOwn(table: Service['table'], id: OrganizationId, now: number) {
  const today = dayOf(now);
  const [organization, days] = await Promise.all([
    getOrganization(table, id),
    readUsageDays(table, id, { from: today, to: today }),
  ]);
  const { recipients }: UsageCounts = sumUsage(days.map(({ counts }) => counts));
  return { recipients, webhooks: organization?.webhooks ?? {}, limits: organization?.limits };
}

const splitAt = <Part>(
  parts: readonly Part[],
  isEarlier: (part: Part) => boolean,
): readonly [earlier: readonly Part[], asked: readonly Part[]] => [
  parts.filter(isEarlier),
  parts.filter((part) => !isEarlier(part)),
];

const toView = ({
  from,
  to,
  total,
  previous,
  tags,
  domains,
  cost,
  quota,
  ...summary
}: Awaited<ReturnType<typeof getUsage>>) => ({
  from,
  to,
  ...('months' in summary
    ? { months: summary.months.map(({ month, ...counts }) => ({ month, ...toCounts(counts) })) }
    : { days: summary.days.map(({ day, ...counts }) => ({ day, ...toCounts(counts) })) }),
  total: toCounts(total),
  ...(previous && { previous: { ...previous, total: toCounts(previous.total) } }),
  ...(cost && { cost: { ...cost, forecast: cost.forecast ?? null } }),
  ...(quota && { quota: { ...quota, recipientsPerDay: quota.recipientsPerDay ?? null } }),
  tags: { month: tags.month, busiest: [...busiestTags(tags)], lacking: tags.lacking },
  receivingDomains: {
    month: domains.month,
    busiest: domains.busiest.map(({ domain, deliveries, p50Ms, p95Ms }) => ({
      domain,
      deliveries,
      p50Ms,
      p95Ms,
    })),
    lacking: domains.lacking,
  },
});

function toCounts({ timeToDelivery, ...usage }: Figures) {
  const { sends, recipients, globalSends, attachments, attachmentBytes, ...rest } = usage;
  const { bouncedRecipients: _bounced, complainedRecipients: _complained, ...counted } = rest;
  const { softBounced, ...events } = counted;
  return {
    sends,
    recipients,
    global_endpoint_sends: globalSends,
    // The correction may be stored a day later than the soft bounce it corrects.
    events: { ...events, soft_bounced: Math.max(0, softBounced) },
    attachments,
    attachmentBytes,
    timeToDelivery: timeToDelivery ?? null,
  };
}
