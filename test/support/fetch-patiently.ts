import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from './patience.ts';

export const isThrottled = (status: number): boolean => status === 429 || status === 503;

/** As a program does that means to be answered: asks again what a throttle refused. */
export async function fetchPatiently(url: URL | string, init?: RequestInit): Promise<Response> {
  const givesUpAt = Date.now() + patience.timeout;
  for (;;) {
    const response = await fetch(url, init);
    if (!isThrottled(response.status) || Date.now() > givesUpAt) return response;
    await response.body?.cancel();
    await sleep(patience.interval);
  }
}
