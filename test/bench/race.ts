import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { startChild } from './child-process.ts';
import { type Keep, withParts } from './parts.ts';
import { atLeast, atMost, renderTable } from './row.ts';
import { median, spread } from './statistics.ts';
import { type Driven, drivenSchema } from './throughput.ts';
import { startLoad, startTwin } from './twin-process.ts';

const rounds = 12;
const roundMs = 2_000;
const warmUpMs = 8_000;

/** One checkout's twin, with a table of its own. */
type Contestant = {
  readonly drive: (inFlight: number, milliseconds: number) => Promise<Round>;
};

type Round = Driven & {
  /** CPU time of the service's process, milliseconds a send. */
  readonly cpuMs: number;
};

/** Sends through this checkout's twin and another one's, in turn, on one machine. */
function race(other: string) {
  return withParts(async (keep) => {
    const mailbox = keep(await startChild('mailbox.ts', {}, z.object({ url: z.string() })));
    const ours = await enter('twin.ts', mailbox.ready.url, keep);
    const theirs = await enter(resolve(other, 'test/bench/twin.ts'), mailbox.ready.url, keep);
    console.error('  warming up');
    for (const { drive } of [ours, theirs]) await drive(16, warmUpMs);

    const many = await runInTurn(ours, theirs, 16);
    const one = await runInTurn(ours, theirs, 1);
    const latency = ({ perSecond }: Round) => 1_000 / perSecond;
    return [
      compare('Sends a second, 16 in flight', many, ({ perSecond }) => perSecond, atLeastTwice),
      compare(
        'CPU a send in the service, 16 in flight, ms',
        many,
        ({ cpuMs }) => cpuMs,
        atMostSeventy,
      ),
      compare('Latency of a send, 1 in flight, ms', one, latency, notAbove),
    ];
  });
}

const atLeastTwice = (what: string, ratio: number, detail: string) =>
  atLeast(what, ratio, 2, detail);
const atMostSeventy = (what: string, ratio: number, detail: string) =>
  atMost(what, ratio, 0.7, detail);
const notAbove = (what: string, ratio: number, detail: string) => atMost(what, ratio, 1, detail);

async function enter(file: string, mailboxUrl: string, keep: Keep): Promise<Contestant> {
  const twin = keep(await startTwin({ AWS_ENDPOINT_URL_SESV2: mailboxUrl }, file));
  const load = keep(await startLoad(twin.ready));
  return {
    drive: async (inFlight, milliseconds) => {
      const cpuBefore = cpuMsOf(twin.pid);
      const driven = await load.ask({ inFlight, milliseconds }, drivenSchema);
      const sends = (driven.perSecond * milliseconds) / 1_000;
      return { ...driven, cpuMs: (cpuMsOf(twin.pid) - cpuBefore) / sends };
    },
  };
}

/** Linux counts a process's CPU time in hundredths of a second (proc(5), `/proc/pid/stat`). */
function cpuMsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const [user = 0, system = 0] = fields.slice(11, 13).map(Number);
  return (user + system) * 10;
}

type Rounds = readonly { readonly ours: Round; readonly theirs: Round }[];

async function runInTurn(ours: Contestant, theirs: Contestant, inFlight: number): Promise<Rounds> {
  const results: { ours: Round; theirs: Round }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`  ${inFlight} in flight: round ${round} of ${rounds}`);
    const their = await theirs.drive(inFlight, roundMs);
    results.push({ theirs: their, ours: await ours.drive(inFlight, roundMs) });
  }
  return results;
}

function compare(
  what: string,
  results: Rounds,
  value: (round: Round) => number,
  judge: typeof atLeastTwice,
) {
  const ratios = results.map(({ ours, theirs }) => value(ours) / value(theirs));
  const middle = (who: 'ours' | 'theirs') =>
    median(results.map((result) => value(result[who]))).toFixed(2);
  return judge(
    `${what}: over that of the other checkout`,
    median(ratios),
    ` (middle half of ${rounds} rounds ${spread(ratios)}; ${middle('ours')} and ${middle('theirs')})`,
  );
}

const [otherCheckout] = process.argv.slice(2);
if (otherCheckout === undefined) {
  console.error('usage: npm run race -- <another checkout, with its packages installed>');
  process.exit(2);
}
console.log(renderTable(await race(otherCheckout)));
