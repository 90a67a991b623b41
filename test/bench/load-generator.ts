import * as z from 'zod';
import { serveParent } from './child-service.ts';
import { callSend } from './service-calls.ts';
import { drive, drivingSchema } from './throughput.ts';

const settingsSchema = z.object({ baseUrl: z.string(), apiKey: z.string() });

/** Calls the send endpoint as often as told. */
serveParent(async (settings) => {
  const { baseUrl, apiKey } = settingsSchema.parse(settings);
  const run = (job: unknown) => drive(drivingSchema.parse(job), () => callSend(baseUrl, apiKey));
  return { ready: {}, run };
});
