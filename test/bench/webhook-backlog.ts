import * as z from 'zod';
import { type Child, startChild } from './child-process.ts';
import { type Keep, withParts } from './parts.ts';
import { atLeast, atMost, type Row } from './row.ts';
import { median } from './statistics.ts';

/** More than a run makes. */
const drained = 20_000;
const leastDelivered = 8_000;
const receiverMs = 100;

const fewOverdue = 1_000;
const manyOverdue = 100_000;
/** Longer than an attempt waits. */
const hangingMs = 60_000;
const rounds = 3;
const mostTimesSlower = 2;

const nothing = z.object({});
const runSchema = z.object({ delivered: z.int(), seconds: z.number(), cpuMsEach: z.number() });
const behindSchema = z.object({ startedAfterMs: z.number(), reads: z.int() });

type Runner = Child<z.output<typeof nothing>>;

/** What one run of the retry queue gets done, and what a long backlog costs other endpoints. */
export const benchWebhookBacklog = (): Promise<Row[]> =>
  withParts(async (keep) => {
    const receiver = keep(
      await startChild('webhook-receiver.ts', {}, z.object({ url: z.string() })),
    );
    const { url } = receiver.ready;
    return [await benchDrain(url), ...(await benchBehind(url, keep))];
  });

/** Deliveries that are due to one endpoint. */
const benchDrain = (receiver: string): Promise<Row> =>
  withParts(async (keep) => {
    const runner = keep(await startRunner(false));
    console.error(`  storing ${drained.toLocaleString('en-US')} due deliveries`);
    const url = `${receiver}/${receiverMs}`;
    await runner.ask({ kind: 'fill', url, deliveries: drained }, nothing);
    console.error('  one scheduled run');
    const { delivered, seconds, cpuMsEach } = await runner.ask({ kind: 'run' }, runSchema);
    return atLeast(
      `Due deliveries to one receiver of ${receiverMs} ms that one scheduled run makes`,
      delivered,
      leastDelivered,
      ` (in ${seconds.toFixed(0)} s, with ${cpuMsEach.toFixed(1)} ms of CPU each)`,
    );
  });

/** A due delivery to an endpoint that stands behind one that hangs. */
async function benchBehind(receiver: string, keep: Keep): Promise<Row[]> {
  const few = await startFilled(receiver, fewOverdue, keep);
  const many = await startFilled(receiver, manyOverdue, keep);
  const behindFew: z.output<typeof behindSchema>[] = [];
  const behindMany: z.output<typeof behindSchema>[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`  runs behind a backlog: round ${round} of ${rounds}`);
    behindFew.push(await few.ask({ kind: 'runBehind', url: `${receiver}/` }, behindSchema));
    behindMany.push(await many.ask({ kind: 'runBehind', url: `${receiver}/` }, behindSchema));
  }
  const [from, to] = [fewOverdue, manyOverdue].map((count) => count.toLocaleString('en-US'));
  const where = `behind ${to} overdue ones of an endpoint that hangs, over behind ${from}`;
  const over = (measure: 'startedAfterMs' | 'reads') => {
    const [fewer, more] = [behindFew, behindMany].map((runs) =>
      median(runs.map((run) => run[measure])),
    );
    return { fewer: fewer ?? 0, more: more ?? 0, ratio: (more ?? 0) / (fewer ?? 0) };
  };
  const [start, reads] = [over('startedAfterMs'), over('reads')];
  return [
    atMost(
      `Due delivery ${where}: time from the beginning of the run to its attempt`,
      start.ratio,
      mostTimesSlower,
      ` (${start.more} and ${start.fewer} ms; medians of ${rounds} runs in turn)`,
    ),
    atMost(
      `Due delivery ${where}: Queries of the run`,
      reads.ratio,
      1,
      ` (${reads.more} and ${reads.fewer})`,
    ),
  ];
}

const startRunner = (metered: boolean): Promise<Runner> =>
  startChild('webhook-queue-runner.ts', { metered }, nothing);

async function startFilled(receiver: string, deliveries: number, keep: Keep): Promise<Runner> {
  console.error(`  storing ${deliveries.toLocaleString('en-US')} overdue deliveries`);
  const runner = keep(await startRunner(true));
  await runner.ask({ kind: 'fill', url: `${receiver}/${hangingMs}`, deliveries }, nothing);
  return runner;
}
