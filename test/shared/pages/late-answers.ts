import { setTimeout } from 'node:timers/promises';
import type { Route } from 'playwright-core';
import { testSeed } from '../../support/test-seed.ts';

/**
 * `TEST_LATENCY_MS`: how late a page's requests and their answers may be. On a busy machine they are late by
 * themselves; with this, a test that only passes while they are quick fails on an idle one.
 */
export const maxLatencyMs = Number(process.env['TEST_LATENCY_MS'] ?? 0);

let state = testSeed;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

/** Half of them reach the service late; the other half are answered at once, and the page learns it late. */
export async function delay(route: Route): Promise<void> {
  const latency = random() * maxLatencyMs;
  const response = random() < 0.5 ? await route.fetch({ maxRedirects: 0 }) : undefined;
  await setTimeout(latency);
  await (response ? route.fulfill({ response }) : route.continue());
}
