import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { launchDynamodb } from '../../infra/local/dynamodb/launch.ts';
import { type Child, type Keep, startChild, withParts } from './child.ts';
import { recordSend } from './recorded-calls.ts';
import { type Driven, drivenSchema, median, spread } from './rounds.ts';
import { atLeast, atMost, type Report, type Row } from './row.ts';

/** Sends after which everything that runs often has been compiled: a busy machine takes longer for them. */
const warmUpSends = 2_000;
const roundMs = 1_000;
const leastOfFloor = 0.9;
const maxCpuOfFloor = 1.15;

const contestants = ['endpoint', 'floor'] as const;
type Contestant = (typeof contestants)[number];
type Round = Driven & {
  /** CPU time of the contestant's process, milliseconds a send. */
  readonly cpuMs: number;
};
type Drive = (who: Contestant, inFlight: number, milliseconds: number) => Promise<Round>;

/**
 * The send endpoint's function against a script that does nothing but its SDK calls, in turn, on one machine. No
 * gateway is in front of it: on AWS that isn't the function's time either.
 */
export const benchSendEndpoint = (small: boolean): Promise<Report> =>
  withParts(async (keep) => {
    const drive = await start(keep);
    console.error('  warming up');
    for (const who of contestants) {
      for (let sent = 0; sent < (small ? 1 : warmUpSends); ) {
        sent += (await drive(who, 16, small ? 500 : roundMs)).calls;
      }
    }
    const rows: Row[] = [];
    for (const inFlight of [1, 16]) {
      rows.push(...(await compare(drive, inFlight, small ? 1 : 16, small ? 300 : roundMs)));
    }
    return { rows };
  });

/** Both use one DynamoDB Local and one mailbox, each a process of its own. */
async function start(keep: Keep): Promise<Drive> {
  const { url } = keep(launchDynamodb());
  const mailbox = keep(await startChild('mailbox.ts', {}, z.object({ url: z.string() })));
  const dynamodb = await url;
  const env = {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_SESV2: mailbox.ready.url,
  };
  const send = await recordSend(env);
  const settings = { dynamodb, ses: mailbox.ready.url, send };
  const processes = {
    endpoint: keep(await startChild('send-invoker.ts', { env }, z.object({}))),
    floor: keep(await startChild('send-floor.ts', settings, z.object({}))),
  } as const;
  return async (who, inFlight, milliseconds) => {
    const child = processes[who];
    const cpuBefore = cpuMsOf(child);
    const driven = await child.ask({ inFlight, milliseconds }, drivenSchema);
    return { ...driven, cpuMs: (cpuMsOf(child) - cpuBefore) / driven.calls };
  };
}

/** Linux counts a process's CPU time in hundredths of a second (proc(5), `/proc/pid/stat`). */
function cpuMsOf({ pid }: Pick<Child<unknown>, 'pid'>): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const [user = 0, system = 0] = fields.slice(11, 13).map(Number);
  return (user + system) * 10;
}

async function compare(drive: Drive, inFlight: number, rounds: number, ms: number): Promise<Row[]> {
  const results: Record<Contestant, Round>[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`  ${inFlight} in flight: round ${round} of ${rounds}`);
    const floor = await drive('floor', inFlight, ms);
    results.push({ floor, endpoint: await drive('endpoint', inFlight, ms) });
  }
  const ratio = (value: keyof Round) => {
    const ratios = results.map(({ endpoint, floor }) => endpoint[value] / floor[value]);
    const [own, bare] = contestants.map((who) => median(results.map((one) => one[who][value])));
    const both = `${own?.toFixed(2)} and ${bare?.toFixed(2)}`;
    const detail = ` (middle half of ${rounds} rounds ${spread(ratios)}; ${both})`;
    return [median(ratios), detail] as const;
  };
  const what = (measure: string) =>
    `Send endpoint, ${inFlight} in flight: ${measure}, over that of its bare SDK calls`;
  const [speed, speedDetail] = ratio('perSecond');
  const [cpu, cpuDetail] = ratio('cpuMs');
  return [
    atLeast(what('sends a second'), speed, leastOfFloor, speedDetail),
    atMost(what('CPU a send, ms'), cpu, maxCpuOfFloor, cpuDetail),
  ];
}
