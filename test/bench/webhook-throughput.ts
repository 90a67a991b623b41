import * as z from 'zod';
import { launchDynamodb } from '../../infra/local/dynamodb/launch.ts';
import { startChild } from './child-process.ts';
import { type Keep, withParts } from './parts.ts';
import { recordDelivery } from './recorded-delivery.ts';
import { atLeast, type Row } from './row.ts';
import { median, spread } from './statistics.ts';
import { type Driven, drivenSchema } from './throughput.ts';

const rounds = 12;
/** Of bare POSTs: thousands at best, too many to count them out. */
const postsMs = 500;
const inFlight = 16;
const warmUpDeliveries = 2_000;
const leastOfFloor = 0.7;

type Contestant = 'deliveries' | 'posts' | 'calls';
type Run = (contestant: Contestant, url: string, deliveries: number) => Promise<Driven>;

/**
 * How many deliveries are made in a second, over a floor: the same signed POSTs from the same client
 * to the same receiver, with nothing around them, and with the calls to the table that each needs.
 */
export const benchWebhookThroughput = (): Promise<Row[]> =>
  withParts(async (keep) => {
    const { run, receiver } = await start(keep);
    console.error('  warming up');
    for (const contestant of ['deliveries', 'posts', 'calls'] as const) {
      await run(contestant, receiver, warmUpDeliveries);
    }
    return [
      ...(await compare(run, `${receiver}/`, 'that answers at once', 200)),
      ...(await compare(run, `${receiver}/100`, 'that answers after 100 ms', 160)),
    ];
  });

/** All use one DynamoDB Local and one receiver, which are processes of their own. */
async function start(keep: Keep) {
  const { url } = keep(launchDynamodb());
  const receiver = keep(await startChild('webhook-receiver.ts', {}, z.object({ url: z.string() })));
  const dynamodb = await url;
  const recorded = await recordDelivery(dynamodb, receiver.ready.url);
  const env = { AWS_ENDPOINT_URL_DYNAMODB: dynamodb };
  const deliverer = keep(await startChild('webhook-deliverer.ts', { env }, z.object({})));
  const settings = { dynamodb, recorded };
  const floor = keep(await startChild('webhook-floor.ts', settings, z.object({})));
  const run: Run = (contestant, url, deliveries) => {
    const job = { url, inFlight, deliveries };
    switch (contestant) {
      case 'posts':
        return floor.ask({ url, inFlight, milliseconds: postsMs }, drivenSchema);
      case 'calls':
        return floor.ask(job, drivenSchema);
      case 'deliveries':
        return deliverer.ask(job, drivenSchema);
    }
  };
  return { run, receiver: receiver.ready.url };
}

async function compare(run: Run, url: string, kind: string, deliveries: number): Promise<Row[]> {
  const results: Record<Contestant, number>[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`  receiver ${kind}: round ${round} of ${rounds}`);
    const { perSecond: posts } = await run('posts', url, deliveries);
    const { perSecond: delivered } = await run('deliveries', url, deliveries);
    const { perSecond: calls } = await run('calls', url, deliveries);
    results.push({ posts, deliveries: delivered, calls });
  }
  const speed = (who: Contestant) => median(results.map((result) => result[who])).toFixed(0);
  const ratioTo = (floor: Contestant) => results.map((result) => result.deliveries / result[floor]);
  const row = (what: string, floor: Contestant) => {
    const ratios = ratioTo(floor);
    return atLeast(
      `Webhook deliveries, ${inFlight} in flight, to a receiver ${kind}: throughput over ${what}`,
      median(ratios),
      leastOfFloor,
      ` (middle half of ${rounds} rounds ${spread(ratios)}; ${speed('deliveries')} and ${speed(floor)}/s)`,
    );
  };
  return [row('bare signed POSTs', 'posts'), row('the same POSTs and bare SDK calls', 'calls')];
}
