import * as z from 'zod';
import { invokeFunction } from '../../infra/local/gateway/functions.ts';
import { createBundleLoader } from './bundle-loader.ts';

/**
 * Runs the functions that deliver webhooks, bundled beside it, in a separate process, so that a test can kill it. The
 * process has its own environment and clock, and ends with its parent.
 */
const jobSchema = z.object({ id: z.int(), functionName: z.string(), event: z.unknown() });

// A clock that is ahead spares the tests the wait for leases and due times.
const later = Number(process.env['CLOCK_AHEAD_MS'] ?? 0);
const clock = Date.now;
Date.now = () => clock() + later;

const loadHandler = createBundleLoader(import.meta.dirname);
process.once('disconnect', () => process.exit());
process.on('message', async (message) => {
  const { id, functionName, event } = jobSchema.parse(message);
  process.send?.({ id, outcome: await invokeFunction(loadHandler, functionName, event) });
});

// The handlers are loaded before the first call, so that a test kills an invocation and not a start.
await Promise.all(['deliver-webhooks', 'retry-due-webhooks'].map(loadHandler));
process.send?.('ready');
