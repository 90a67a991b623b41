import * as z from 'zod/mini';
import { unsentStatuses } from '#shared/config/unsent-statuses';
import { organizationOfPartition } from '#shared/table/keys';
import { sendSortKey } from '#shared/table/send-keys';
import { type OrganizationId, templateIdSchema, templateOwnPart } from '#shared/tokens/resource-id';
import {
  isUndeliveredReason,
  type MetricFigure,
  type UndeliveredReason,
} from './metric-figures.ts';
import {
  type Change,
  changeSchema,
  isStoredLate,
  lengthOfList,
  listOfTexts,
  maxSequenceDigits,
  moment,
  tagsOfMap,
  text,
} from './stream-record.ts';

export const metricDimensions = ['domain', 'key', 'template', 'tag', 'receiver'] as const;
export type MetricDimension = (typeof metricDimensions)[number];

/** What a send is counted by. A key or template goes by its own part, a tag as `name:value`. */
export type MetricValues = Readonly<Record<MetricDimension, readonly string[]>>;

/** One thing that happened to one send. */
export type MetricEntry = {
  readonly organizationId: OrganizationId;
  readonly at: number;
  readonly sequence: string;
  readonly figure: MetricFigure;
  readonly values: MetricValues;
  /** Of a delivery, from SES's acceptance. */
  readonly tookMs?: number | undefined;
  readonly reason?: UndeliveredReason | undefined;
};

type Happened = Pick<MetricEntry, 'at' | 'figure' | 'tookMs' | 'reason'>;

/**
 * Metrics are read from changes of sends alone: a send knows its domain, key, template, tags and receiver, and when
 * the first event of each kind came. So each email counts once in each figure, and no other item is read. What isn't
 * legible, or another item's, counts nothing; `counted-changes.ts` reports it.
 */
export function readMetricChange(record: unknown): readonly MetricEntry[] {
  const change = changeSchema.safeParse(record).data?.dynamodb;
  if (change?.NewImage === undefined || change.Keys.sk.S !== sendSortKey) return [];
  const send = sendSchema.safeParse(change.NewImage).data;
  const organizationId = organizationOfPartition(change.Keys.pk.S);
  if (send === undefined || send.test || organizationId === undefined) return [];
  const before = sendSchema.safeParse(change.OldImage ?? {}).data ?? {};
  const common = {
    organizationId,
    sequence: change.SequenceNumber.padStart(maxSequenceDigits, '0'),
    values: valuesOf(send),
  };
  return happened(send, before, change).map((one) => ({ ...common, ...one }));
}

function happened(send: StreamedSend, before: StreamedSend, change: Change): Happened[] {
  const ended = endOf(send, before, change);
  if (ended !== undefined) return [ended];
  if (send.status === 'sent' && send.providerMessageId !== before.providerMessageId) {
    return send.sentAt === undefined ? [] : [{ figure: 'sent', at: send.sentAt }];
  }
  // A new item has no events, and one that a claim has replaced carries those of the attempt before.
  return change.OldImage === undefined || isStoredLate(change) ? [] : eventsOf(send, before);
}

/** A retry of a failed send stores nothing more, so only its first failure counts. */
function endOf(
  { status, attempts = 0 }: StreamedSend,
  before: StreamedSend,
  { ApproximateCreationDateTime: storedAt }: Change,
): Happened | undefined {
  const figure = unsentStatuses.find((one) => one === status);
  const isNew = figure !== before.status && (attempts <= 1 || before.status === 'sent');
  if (figure === undefined || storedAt === undefined || !isNew) return undefined;
  return {
    figure,
    at: Math.floor(storedAt * 1_000),
    ...(figure !== 'canceled' && { reason: figure }),
  };
}

function eventsOf(send: StreamedSend, before: StreamedSend): Happened[] {
  const first = (...names: readonly FirstName[]): number | undefined =>
    names.some((name) => before[name] !== undefined)
      ? undefined
      : names.flatMap((name) => send[name] ?? [])[0];
  const events: readonly (readonly [MetricFigure, number | undefined])[] = [
    ['delivered', first('deliveredAt', 'firstDeliveryAt')],
    ['delivery_delayed', first('firstDelayAt')],
    [
      send.isUndetermined ? 'bounced_undetermined' : 'bounced_transient',
      first('firstSoftBounceAt'),
    ],
    ['bounced_permanent', first('firstBounceAt')],
    ['complained', first('firstComplaintAt')],
    ['unique_opened', first('openedAt', 'firstOpenAt')],
    ['machine_opened', first('machineOpenedAt')],
    ['unique_clicked', first('firstClickAt')],
  ];
  return events.flatMap(([figure, at]) => {
    if (at === undefined) return [];
    const isBounce = figure.startsWith('bounced');
    return [
      {
        figure,
        at,
        ...(figure === 'delivered' && { tookMs: timeOf(send) }),
        ...(isBounce && { reason: reasonIn(send) }),
      },
    ];
  });
}

/** A later version may know more causes. */
const reasonIn = ({ bounceReason = '' }: StreamedSend): UndeliveredReason =>
  isUndeliveredReason(bounceReason) ? bounceReason : 'unknown';

/** Measured with SES's clock and ours, so at least 0. Not of a message that is no longer the send's own. */
const timeOf = ({ deliveredAt, deliveredOf, sentAt }: StreamedSend): number | undefined =>
  deliveredAt === undefined || sentAt === undefined || deliveredOf !== undefined
    ? undefined
    : Math.max(0, deliveredAt - sentAt);

/** An email to several domains has no receiver; nor has one whose address was erased. */
function valuesOf(send: StreamedSend): MetricValues {
  const { toEmail, moreTo = [], cc = [], bcc = [] } = send;
  const named = toEmail === undefined ? [] : [toEmail, ...moreTo, ...cc, ...bcc];
  const [receiver, ...others] = new Set(named.map(domainOf));
  const one = (value: string | undefined) => (value === undefined ? [] : [value]);
  return {
    domain: one(send.fromEmail && domainOf(send.fromEmail)),
    key: one(send.apiKey),
    template: one(send.templateId && templateOwnPart(send.templateId)),
    tag: send.tags ?? [],
    receiver: others.length === 0 ? one(receiver) : [],
  };
}

const domainOf = (address: string): string | undefined =>
  /@([^@]+)$/.exec(address)?.[1]?.toLowerCase();

const time = z.optional(moment);

const firstTimes = {
  deliveredAt: time,
  firstDeliveryAt: time,
  firstDelayAt: time,
  firstSoftBounceAt: time,
  firstBounceAt: time,
  firstComplaintAt: time,
  openedAt: time,
  firstOpenAt: time,
  machineOpenedAt: time,
  firstClickAt: time,
};
type FirstName = keyof typeof firstTimes;

const optional = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.catch(z.optional(schema), undefined);

/** A send counts, whatever its other attributes are. */
const sendSchema = z.object({
  ...firstTimes,
  status: optional(text),
  test: optional(z.object({ BOOL: z.literal(true) })),
  providerMessageId: optional(text),
  sentAt: optional(moment),
  deliveredOf: optional(text),
  attempts: lengthOfList,
  bounceReason: optional(text),
  isUndetermined: optional(z.object({ BOOL: z.literal(true) })),
  fromEmail: optional(text),
  apiKey: optional(text),
  templateId: optional(z.pipe(text, templateIdSchema)),
  tags: optional(tagsOfMap),
  toEmail: optional(text),
  moreTo: optional(listOfTexts),
  cc: optional(listOfTexts),
  bcc: optional(listOfTexts),
});
type StreamedSend = z.output<typeof sendSchema>;
