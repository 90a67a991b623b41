import { endpoint } from '../../functions/get-metrics/get-metrics.ts';
import { hourMs } from '../../shared/timing/hour.ts';

const { example } = endpoint.answers[200];
const dayMs = 24 * hourMs;
const until = Date.UTC(2026, 10, 23);

/** Metrics of 30 days until 22 November 2026. @param peak the hard bounces of the 19th. */
export function buildMetrics({ peak = 30 }: { readonly peak?: number } = {}) {
  const buckets = Array.from({ length: 30 }, (_, index) => {
    const from = until - (30 - index) * dayMs;
    const sent = [16_800, 9_100, 9_300, 16_400, 17_000, 16_900, 16_700][index % 7] ?? 0;
    const hard = index === 26 ? peak : 60 + (index % 5) * 11;
    return {
      ...example.totals,
      ...{ period: new Date(from).toISOString().slice(0, 10), from, until: from + dayMs },
      ...{ sent, bounced_permanent: hard, bounced_transient: 90, bounced: hard + 90 },
      delivered: sent - hard - 90 - (index === 29 ? 140 : 0),
      complained: index % 4,
    };
  });
  const sum = (name: 'sent' | 'delivered' | 'bounced' | 'bounced_permanent' | 'complained') =>
    buckets.reduce((total, bucket) => total + bucket[name], 0);
  const totals = {
    ...example.totals,
    ...{ sent: sum('sent'), delivered: sum('delivered'), bounced: sum('bounced') },
    ...{ bounced_permanent: sum('bounced_permanent'), bounced_transient: 30 * 90 },
    complained: sum('complained'),
  };
  const receiver = (
    domain: string,
    share: number,
    deliveryRate: number,
    p50Ms: number,
    p95Ms: number,
  ) => ({
    ...{ domain, share, sent: 1_000, delivery_rate: deliveryRate, deliveries: 990, p50Ms, p95Ms },
  });
  return {
    ...example,
    ...{ from: until - 30 * dayMs, until, by: null, groups: [], buckets, totals },
    previous: { ...totals, sent: 396_547, delivered: 395_000 },
    receivers: [
      receiver('gmail.com', 58, 99.6, 900, 3_200),
      receiver('outlook.com', 17, 98.1, 2_100, 41_000),
      receiver('icloud.com', 8, 99.4, 1_400, 5_100),
      receiver('yahoo.com', 5, 99, 1_800, 12_000),
      receiver('acme.example', 3, 99.9, 500, 1_300),
    ],
    reasons: [
      { reason: 'no_such_mailbox', why: 'this mailbox doesn’t exist', emails: 2_214 },
      { reason: 'mailbox_full', why: 'the mailbox is full', emails: 512 },
      {
        reason: 'no_mail_server',
        why: 'the domain of the address has no mail server',
        emails: 345,
      },
      { reason: 'sender_limited', why: 'too much of your email looks unsolicited', emails: 338 },
      { reason: 'server_problem', why: 'its mail system can’t take it', emails: 166 },
    ],
  };
}
