import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { startChild } from './child-process.ts';
import { withParts } from './parts.ts';
import { atMost, type Row } from './row.ts';

const everyMs = 100;
const events = 300;
const warmUpEvents = 200;
/** Until what was under way has arrived. */
const settlingMs = 3_000;
/** Longer than an attempt waits. */
const hangingMs = 60_000;
const mostTimesSlower = 2;

/**
 * How long after its event a message is at an endpoint that is well: beside another such, and beside
 * one that hangs. Through the twin's queue, both endpoints wanting every event.
 */
export const benchWebhookIsolation = (): Promise<Row> =>
  withParts(async (keep) => {
    const receiver = keep(
      await startChild('webhook-receiver.ts', {}, z.object({ url: z.string() })),
    );
    const source = keep(await startChild('webhook-event-source.ts', {}, z.object({})));
    const { url } = receiver.ready;

    const latencyBeside = async (other: string, count: number): Promise<number> => {
      await source.ask({ urls: [`${url}/`, other], events: count, everyMs }, z.object({}));
      await sleep(settlingMs);
      const latencies = await receiver.ask({}, z.array(z.number()));
      // What has not arrived by now took longer than all that has.
      const missing = Array.from(
        { length: count - latencies.length },
        () => Number.POSITIVE_INFINITY,
      );
      return percentile95([...latencies, ...missing]);
    };
    await latencyBeside(`${url}/1`, warmUpEvents);
    console.error('  beside an endpoint that answers');
    const without = await latencyBeside(`${url}/1`, events);
    console.error('  beside an endpoint that hangs');
    const beside = await latencyBeside(`${url}/${hangingMs}`, events);
    return atMost(
      'Webhook to an endpoint that is well: p95 from event to arrival beside one that hangs, over that without',
      beside / without,
      mostTimesSlower,
      ` (${beside} and ${without} ms; ${1_000 / everyMs} events/s to both, ${(events * everyMs) / 1_000} s each)`,
    );
  });

function percentile95(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}
