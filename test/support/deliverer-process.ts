import * as z from 'zod';
import { invokeFunction } from '../../infra/local/function-invocation.ts';
import { createHandlerLoader } from '../../infra/local/handler-loader.ts';

/**
 * The functions that deliver webhooks as a process of its own, so that a test can kill it: in the
 * environment it was started in, at a time of its own. Ends with its parent.
 */
const jobSchema = z.object({ id: z.int(), functionName: z.string(), event: z.unknown() });

// Leases and due times are waited for by those who live later, not by the tests.
const later = Number(process.env['CLOCK_AHEAD_MS'] ?? 0);
const clock = Date.now;
Date.now = () => clock() + later;

const loadHandler = createHandlerLoader();
process.once('disconnect', () => process.exit());
process.on('message', async (message) => {
  const { id, functionName, event } = jobSchema.parse(message);
  process.send?.({ id, outcome: await invokeFunction(loadHandler, functionName, event) });
});

// A handler in use is loaded: what a test cuts short is the invocation alone.
await Promise.all(['deliver-webhooks', 'run-webhook-queue'].map(loadHandler));
process.send?.('ready');
