import { serveStream } from '#shared/endpoints/serve-background';
import {
  countUsage,
  reportsTo,
  tableStreamEventSchema,
  type WindowResponse,
} from './count-usage.ts';
import { lambda } from './function.ts';

export const handler = serveStream(
  lambda,
  { event: tableStreamEventSchema, failure: 'usage not counted' },
  () => ({}),
  async (batch, counting, log): Promise<WindowResponse> => {
    log.bind({ shardId: batch.shardId });
    await countUsage(batch, { ...counting, ...reportsTo(log) });
    return { state: {} };
  },
);
