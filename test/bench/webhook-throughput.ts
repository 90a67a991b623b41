import * as z from 'zod';
import { launchDynamodb } from '../../infra/local/dynamodb/launch.ts';
import { type Keep, startChild, withParts } from './child.ts';
import { recordDelivery } from './recorded-calls.ts';
import { drivenSchema, median, spread } from './rounds.ts';
import { atLeast, type Row } from './row.ts';

const inFlight = 16;
const leastOfFloor = 0.7;

const contestants = ['deliveries', 'floor'] as const;
type Contestant = (typeof contestants)[number];

/** Deliveries a second, over a floor: the same signed POSTs between the same bare SDK calls. */
export const benchWebhookThroughput = (small: boolean): Promise<Row> =>
  withParts(async (keep) => {
    const run = await start(keep);
    console.error('  warming up');
    for (const who of contestants) await run(who, small ? 20 : 2_000);
    const [rounds, deliveries] = small ? [1, 20] : [12, 200];
    const results: Record<Contestant, number>[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      console.error(`  round ${round} of ${rounds}`);
      const delivered = await run('deliveries', deliveries);
      results.push({ deliveries: delivered, floor: await run('floor', deliveries) });
    }
    const ratios = results.map((result) => result.deliveries / result.floor);
    const speed = (who: Contestant) => median(results.map((result) => result[who])).toFixed(0);
    return atLeast(
      `Webhook deliveries, ${inFlight} in flight: throughput over the same POSTs and bare SDK calls`,
      median(ratios),
      leastOfFloor,
      ` (middle half of ${rounds} rounds ${spread(ratios)}; ${speed('deliveries')} and ${speed('floor')}/s)`,
    );
  });

/** Both use one DynamoDB Local and one receiver, each a process of its own. */
async function start(keep: Keep) {
  const { url } = keep(launchDynamodb());
  const receiver = keep(await startChild('webhook-receiver.ts', {}, z.object({ url: z.string() })));
  const dynamodb = await url;
  const recorded = await recordDelivery(dynamodb, receiver.ready.url);
  const env = { AWS_ENDPOINT_URL_DYNAMODB: dynamodb };
  const processes = {
    deliveries: keep(await startChild('webhook-deliverer.ts', { env }, z.object({}))),
    floor: keep(await startChild('webhook-floor.ts', { dynamodb, recorded }, z.object({}))),
  };
  return async (who: Contestant, deliveries: number): Promise<number> => {
    const job = { url: receiver.ready.url, inFlight, deliveries };
    return (await processes[who].ask(job, drivenSchema)).perSecond;
  };
}
