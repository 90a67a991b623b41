import type { Report } from './report.ts';
import { benchWebhookBacklog } from './webhook-backlog.ts';
import { benchWebhookIsolation } from './webhook-isolation.ts';
import { benchWebhookThroughput } from './webhook-throughput.ts';
import { benchWebhookWriteUnits } from './webhook-write-units.ts';

/** What webhook deliveries cost, how fast they are, and whether one endpoint holds up another. */
export async function benchWebhooks(): Promise<Report> {
  const throughput = await benchWebhookThroughput();
  const writeUnits = await benchWebhookWriteUnits();
  const isolation = await benchWebhookIsolation();
  return { rows: [...throughput, ...writeUnits, isolation, ...(await benchWebhookBacklog())] };
}
