import { flushCompileCache } from 'node:module';
import { defaultFunction } from '../../functions/endpoints.ts';
import { routes } from '../../functions/routes.ts';
import { startGateway } from '../../infra/local/gateway/gateway.ts';
import { createBundleLoader } from './bundle-loader.ts';

/**
 * The service as a process of its own, so that a test can kill it: the gateway, bundled beside the
 * functions, in the environment it was started in. Tells its parent its address, and ends with it. Its clock
 * is as far ahead as its parent says.
 */
const loadHandler = createBundleLoader(import.meta.dirname);
process.once('disconnect', () => process.exit());

let aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0);
const clock = Date.now;
Date.now = () => clock() + aheadMs;
process.on('message', (message) => {
  aheadMs = Number(message);
  process.send?.({ aheadMs });
});

// A handler in use is loaded: what a test measures or cuts short is the request alone.
await Promise.all(['send-email', 'send-global-email', 'get-send'].map(loadHandler));
// Node would do this as it ends, but this process is killed: the next one starts in half the time.
flushCompileCache();
const { url } = await startGateway({
  port: 0,
  routes,
  defaultFunction,
  loadHandler,
  receiveProviderEvent: async () => {
    throw new Error('Provider events go to the intake, which is no part of this process');
  },
  reportFault: (functionName, fault) => console.error(functionName, fault),
});
process.send?.({ url });
