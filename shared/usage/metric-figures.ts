import { causeRules } from '#shared/send-history/causes';

const bounceKinds = ['bounced_permanent', 'bounced_transient', 'bounced_undetermined'] as const;
type BounceKind = (typeof bounceKinds)[number];

/**
 * Emails, each counted once in each figure, by Resend's names. Opens and clicks are people's; `machine_opened` are
 * emails that a machine opened, whether or not a person did too.
 */
export const metricFigures = [
  'sent',
  'delivered',
  ...bounceKinds,
  'complained',
  'unique_opened',
  'unique_clicked',
  'machine_opened',
  'suppressed',
  'failed',
  'canceled',
  'delivery_delayed',
] as const;
export type MetricFigure = (typeof metricFigures)[number];

export type Figures = Readonly<Record<MetricFigure, number>>;

export const sumFigures = (all: readonly Partial<Figures>[]): Figures => {
  const sum = (name: MetricFigure) => all.reduce((total, one) => total + (one[name] ?? 0), 0);
  return {
    sent: sum('sent'),
    delivered: sum('delivered'),
    bounced_permanent: sum('bounced_permanent'),
    bounced_transient: sum('bounced_transient'),
    bounced_undetermined: sum('bounced_undetermined'),
    complained: sum('complained'),
    unique_opened: sum('unique_opened'),
    unique_clicked: sum('unique_clicked'),
    machine_opened: sum('machine_opened'),
    suppressed: sum('suppressed'),
    failed: sum('failed'),
    canceled: sum('canceled'),
    delivery_delayed: sum('delivery_delayed'),
  };
};

const bouncedOf = (figures: Record<BounceKind, number>): number =>
  bounceKinds.reduce((sum, kind) => sum + figures[kind], 0);

/** In percent, as Resend has them. `null` if there is nothing to divide by. */
export function withRates(figures: Figures) {
  const bounced = bouncedOf(figures);
  const { sent, delivered } = figures;
  return {
    ...figures,
    bounced,
    delivery_rate: percent(delivered, sent),
    bounce_rate: percent(bounced, sent),
    complaint_rate: percent(figures.complained, delivered),
    open_rate: percent(figures.unique_opened, delivered),
    click_rate: percent(figures.unique_clicked, delivered),
  };
}

const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 100_000) / 1_000;

/** Why emails didn't arrive: bounces by their causes, and what was never sent. */
const undelivered = {
  ...causeRules,
  suppressed: { why: 'the address was suppressed' },
  failed: { why: 'Amazon SES or the service refused it' },
} as const satisfies Record<string, { readonly why: string }>;

export type UndeliveredReason = keyof typeof undelivered;

export const isUndeliveredReason = (text: string): text is UndeliveredReason =>
  Object.hasOwn(undelivered, text);

export const undeliveredReasons: readonly UndeliveredReason[] =
  Object.keys(undelivered).filter(isUndeliveredReason);

export const whyOf = (reason: UndeliveredReason): string => undelivered[reason].why;
