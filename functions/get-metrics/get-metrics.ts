import * as z from 'zod/mini';
import { defineEndpoint, type RequestTo, type Service } from '#shared/endpoints/endpoint';
import { invalidField } from '#shared/errors/service-error';
import { dayMs } from '#shared/timing/day';
import { hourMs } from '#shared/timing/hour';
import {
  apiKeyIdOf,
  apiKeyIdSchema,
  apiKeyOwnPart,
  type OrganizationId,
  templateIdOf,
  templateIdSchema,
  templateOwnPart,
} from '#shared/tokens/resource-id';
import { bucketFactor } from '#shared/usage/delivery-times';
import { maxValues, nothingCounted, sumCounted, sumHours } from '#shared/usage/hour-metrics';
import {
  bucketsOf,
  maxHoursByHour,
  maxMetricDays,
  metricIntervals,
  metricPeriodOf,
  timeZoneOf,
} from '#shared/usage/metric-buckets';
import { type MetricDimension, metricDimensions } from '#shared/usage/metric-changes';
import { type HourPeriod, metricsKeptDays, readHourMetrics } from '#shared/usage/metrics-store';
import {
  figuresOf,
  groupsOf,
  leastDeliveriesShown,
  maxGroups,
  maxReceivers,
  pickOf,
  reasonsOf,
  receiversOf,
  seriesOf,
} from '#shared/usage/metrics-summary';
import { maxPeriodMonths } from '#shared/usage/month';

const rate = z.nullable(z.number());
const times = { deliveries: z.int(), p50Ms: z.int(), p95Ms: z.int() };

const figures = {
  sent: z.int(),
  delivered: z.int(),
  bounced: z.int(),
  bounced_permanent: z.int(),
  bounced_transient: z.int(),
  bounced_undetermined: z.int(),
  complained: z.int(),
  unique_opened: z.int(),
  unique_clicked: z.int(),
  machine_opened: z.int(),
  suppressed: z.int(),
  failed: z.int(),
  canceled: z.int(),
  delivery_delayed: z.int(),
  delivery_rate: rate,
  bounce_rate: rate,
  complaint_rate: rate,
  open_rate: rate,
  click_rate: rate,
  timeToDelivery: z.nullable(z.object(times)),
};

const exampleTimes = { deliveries: 1_980, p50Ms: 1_100, p95Ms: 6_200 };
const exampleFigures = {
  sent: 2_000,
  delivered: 1_980,
  bounced: 14,
  bounced_permanent: 10,
  bounced_transient: 4,
  bounced_undetermined: 0,
  complained: 1,
  unique_opened: 990,
  unique_clicked: 200,
  machine_opened: 310,
  suppressed: 6,
  failed: 0,
  canceled: 0,
  delivery_delayed: 9,
  delivery_rate: 99,
  bounce_rate: 0.7,
  complaint_rate: 0.051,
  open_rate: 50,
  click_rate: 10.101,
  timeToDelivery: exampleTimes,
};
const exampleFrom = Date.UTC(2026, 10, 21);
const exampleUntil = Date.UTC(2026, 10, 22);

const declaration = defineEndpoint({
  route: 'GET /api/v1/metrics',
  access: { key: 'required', scope: ['usage_read', 'manage_organization'] },
  query: z.strictObject({
    from: z.optional(z.string()),
    until: z.optional(z.string()),
    interval: z._default(z.enum(metricIntervals), 'day'),
    timeZone: z._default(z.string(), 'UTC'),
    by: z.optional(z.enum(metricDimensions)),
    value: z.optional(z.string().check(z.minLength(1), z.maxLength(512))),
    previous: z.optional(z.enum(['true', 'false'])),
  }),
  answers: {
    200: {
      body: z.object({
        from: z.int(),
        until: z.int(),
        interval: z.enum(metricIntervals),
        timeZone: z.string(),
        by: z.nullable(z.enum(metricDimensions)),
        value: z.nullable(z.string()),
        totals: z.object(figures),
        previous: z.nullable(z.object(figures)),
        buckets: z.array(
          z.object({ period: z.string(), from: z.int(), until: z.int(), ...figures }),
        ),
        groups: z.array(z.object({ value: z.string(), ...figures })),
        lacking: z.int(),
        reasons: z.array(z.object({ reason: z.string(), why: z.string(), emails: z.int() })),
        receivers: z.array(
          z.object({
            domain: z.string(),
            share: z.number(),
            sent: z.int(),
            delivery_rate: rate,
            ...times,
          }),
        ),
      }),
      description: 'The metrics.',
      example: {
        from: exampleFrom,
        until: exampleUntil,
        interval: 'day',
        timeZone: 'UTC',
        by: 'tag',
        value: null,
        totals: exampleFigures,
        previous: null,
        buckets: [
          { period: '2026-11-21', from: exampleFrom, until: exampleUntil, ...exampleFigures },
        ],
        groups: [{ value: 'kind:reset', ...exampleFigures, timeToDelivery: null }],
        lacking: 0,
        reasons: [
          { reason: 'no_such_mailbox', why: 'this mailbox doesn’t exist', emails: 10 },
          { reason: 'suppressed', why: 'the address was suppressed', emails: 6 },
          { reason: 'mailbox_full', why: 'the mailbox is full', emails: 4 },
        ],
        receivers: [
          { domain: 'gmail.com', share: 64.2, sent: 1_284, delivery_rate: 99.6, ...exampleTimes },
        ],
      },
    },
  },
  lambda: { stack: 'Account', tableActions: ['GetItem', 'Query'] },
  words: {
    section: 'Usage',
    summary: 'Read what became of emails, over time',
    description: `Each email counts once in each figure, when it happened: an open a week after the email counts in the hour of the open. Figures are counted by UTC hour, and kept for ${metricsKeptDays} days. A period has at most ${maxMetricDays} days; with \`interval=hour\`, ${maxHoursByHour} hours. Where a time zone isn’t whole hours from UTC, an hour counts in the day, week or month in which it begins. Test emails don’t count. Figures lag by about a minute. \`GET /api/v1/usage\` goes back ${maxPeriodMonths} months.`,
    fields: {
      from: 'In the query: the start of the period, as epoch milliseconds, as ISO 8601 such as `2026-11-21T09:00:00Z`, or as a day of the time zone such as `2026-11-21`. The default is 24 hours ago by hour, and 30, 84 or 92 days ago by day, week or month. In the answer: when the period or bucket begins, in epoch milliseconds. It begins with a whole hour.',
      until:
        'The end, in the same forms; a day means its beginning. The default, and the latest, is the end of the current hour. What happens at this moment is no longer counted.',
      interval:
        'What a bucket covers: `hour`, `day` (the default), `week` (from Monday) or `month`.',
      timeZone:
        'In which days, weeks and months begin: a name of the IANA database such as `Europe/Berlin`. The default is `UTC`.',
      by: `Also groups the emails: by sending \`domain\`, API \`key\`, \`template\`, \`tag\` or \`receiver\`, the domain of the recipients. An email to several domains has no receiver.`,
      value:
        'With `by`: counts only emails with this value, such as `marketing.example.com`, a key’s or template’s id, or a tag as `name:value`. In `groups`: the value.',
      totals: 'All of the period.',
      previous:
        'In the query: `true` adds the totals of as many hours right before, for comparison. In the answer: these; `null` without it, or if they’re no longer kept.',
      buckets:
        'The period in order, without gaps. The first and the last may cover less than others.',
      period:
        'What it covers, in the time zone: `2026-11-21T09:00`, `2026-11-21`, the week’s Monday, or `2026-11`.',
      groups: `With \`by\` and no \`value\`: the ${maxGroups} values with the most emails. A receiver has at least ${leastDeliveriesShown}.`,
      lacking: `How many emails a group may lack, at most. 0 for an organization that uses few values in any hour: ${maxValues.domain} domains, ${maxValues.key} keys, ${maxValues.template} templates, ${maxValues.tag} tags and ${maxValues.receiver} receivers are counted, the busiest of the hour.`,
      sent: 'SES accepted it.',
      delivered: 'A recipient’s server took it.',
      bounced: 'The sum of the next three.',
      bounced_permanent: 'A hard bounce. AWS’s limit is on these.',
      bounced_transient: 'A soft bounce: a later email may arrive.',
      bounced_undetermined: 'A bounce of which SES can’t tell which kind it is.',
      complained: 'A recipient marked it as spam.',
      unique_opened: 'A person opened it.',
      unique_clicked: 'A person clicked a link in it.',
      machine_opened:
        'A machine fetched its pixel: a privacy proxy or a scanner. A person may have opened it too.',
      suppressed: 'It wasn’t sent, since all of its `to` are suppressed.',
      failed: 'SES or the service rejected it. A later attempt may have sent it.',
      canceled: 'It was canceled before it was due.',
      delivery_delayed: 'SES reported that its delivery takes longer.',
      delivery_rate:
        'Delivered of sent, in percent; like all rates, `null` if there’s nothing to divide by. Since both count when they happen, it may exceed 100 in a bucket.',
      bounce_rate: 'Bounced of sent.',
      complaint_rate: 'Complained of delivered.',
      open_rate: '`unique_opened` of delivered.',
      click_rate: '`unique_clicked` of delivered.',
      timeToDelivery: `From SES’s acceptance to the first delivery; \`null\` if nothing was delivered, or with any \`by\` but \`receiver\`. Times are grouped, so each is exact to a factor of ${bucketFactor} at worst.`,
      deliveries: 'How many emails were delivered.',
      p50Ms: 'The median, in milliseconds.',
      p95Ms: 'The 95th percentile, in milliseconds.',
      reasons: 'Why emails didn’t arrive, the most frequent first.',
      reason:
        'The cause of a bounce, with the codes of `GET /api/v1/recipients/{email}`; or `suppressed` or `failed`.',
      why: 'The same in words.',
      emails: 'How many emails.',
      receivers: `Without \`value\`: the ${maxReceivers} receivers with the most emails, if at least ${leastDeliveriesShown} were delivered.`,
      domain: 'The domain of the recipients.',
      share: 'Of everything sent, in percent.',
    },
    example: { query: { interval: 'day', timeZone: 'Europe/Berlin', by: 'tag' } },
  },
});

export const endpoint = defineEndpoint(declaration, getMetrics);

export async function getMetrics(
  { caller: { organizationId }, query }: RequestTo<typeof declaration>,
  { table, now: readClock }: Pick<Service, 'table' | 'now'>,
) {
  const now = readClock();
  const { interval, by } = query;
  const zone = timeZoneOf(query.timeZone);
  const period = metricPeriodOf(query, zone, now);
  const value = countedValue(query);
  const isWhole = value === undefined;
  const dimensions = new Set([...(by ? [by] : []), ...(isWhole ? (['receiver'] as const) : [])]);
  const pick = pickOf(by, value);

  const [hours, previous] = await Promise.all([
    readHourMetrics(table, organizationId, period, [...dimensions], now),
    query.previous === 'true'
      ? readPrevious(table, organizationId, period, isWhole || by === undefined ? [] : [by], now)
      : undefined,
  ]);

  const all = sumCounted([nothingCounted, ...hours.map(pick)]);
  const grouped = by && isWhole ? by : undefined;
  const toShown = (own: string) => shownValue(organizationId, by, own);
  return {
    from: period.from * hourMs,
    until: period.until * hourMs,
    interval,
    timeZone: zone.name,
    by: by ?? null,
    value: query.value ?? null,
    totals: figuresOf(all),
    previous: previous ? figuresOf(sumCounted([nothingCounted, ...previous.map(pick)])) : null,
    buckets: seriesOf(hours, bucketsOf(period, interval, zone), pick).map(
      ({ counted, period: name, from, until }) => ({
        period: name,
        from: from * hourMs,
        until: until * hourMs,
        ...figuresOf(counted),
      }),
    ),
    groups: grouped
      ? groupsOf(sumHours(hours), grouped).map((group) => ({
          ...group,
          value: toShown(group.value),
        }))
      : [],
    lacking: by ? hours.reduce((sum, { lacking }) => sum + lacking[by], 0) : 0,
    reasons: [...reasonsOf(all)],
    receivers: isWhole ? [...receiversOf(hours).busiest] : [],
  };
}

async function readPrevious(
  table: Service['table'],
  organizationId: OrganizationId,
  { from, until }: HourPeriod,
  dimensions: readonly MetricDimension[],
  now: number,
) {
  const before = { from: 2 * from - until, until: from };
  const isKept = before.from * hourMs > now - metricsKeptDays * dayMs;
  return isKept ? readHourMetrics(table, organizationId, before, dimensions, now) : undefined;
}

/** As it's counted: a key or template without its organization. */
function countedValue({ by, value }: RequestTo<typeof declaration>['query']): string | undefined {
  if (value === undefined) return undefined;
  switch (by) {
    case undefined:
      throw invalidField('value', 'needs by, which says what it is a value of');
    case 'key': {
      const id = apiKeyIdSchema.safeParse(value).data;
      if (id === undefined) throw invalidField('value', 'must be the id of an API key');
      return apiKeyOwnPart(id);
    }
    case 'template': {
      const id = templateIdSchema.safeParse(value).data;
      if (id === undefined) throw invalidField('value', 'must be the id of a template');
      return templateOwnPart(id);
    }
    case 'tag':
      if (!value.includes(':')) throw invalidField('value', 'must be a tag, as name:value');
      return value;
    case 'domain':
    case 'receiver':
      return value.toLowerCase();
  }
}

function shownValue(
  organizationId: OrganizationId,
  by: MetricDimension | undefined,
  own: string,
): string {
  if (by === 'key') return apiKeyIdOf(organizationId, own);
  return by === 'template' ? templateIdOf(organizationId, own) : own;
}
