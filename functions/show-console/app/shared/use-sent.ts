import { useEffect, useState } from 'preact/hooks';
import { dayMs } from '#shared/timing/day';
import { call } from '../api-client.ts';
import { may } from './may.ts';

const monthMs = 30 * dayMs;

/**
 * How many emails of the last 30 days each key or template has: of the busiest, as the metrics list them. It's beside
 * what the page is about, so a failure isn't shown.
 */
export function useSent(by: 'key' | 'template'): (id: string) => number | undefined {
  const [sent, setSent] = useState<ReadonlyMap<string, number>>();
  useEffect(() => {
    if (!may('GET /api/v1/metrics')) return;
    const abort = new AbortController();
    const query = { by, interval: 'month', from: String(Date.now() - monthMs) } as const;
    call('GET /api/v1/metrics', { query }, abort.signal).then(
      ({ groups }) => setSent(new Map(groups.map(({ value, sent: count }) => [value, count]))),
      () => {},
    );
    return () => abort.abort();
  }, [by]);
  return (id) => sent?.get(id);
}
