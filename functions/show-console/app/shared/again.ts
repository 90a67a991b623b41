const firstPauseMs = 500;
const longestPauseMs = 8_000;

/** About 50 s in all: a new account's limits are met for seconds. */
export const maxTries = 10;

/** Longer each time, and never the same for two pages that were refused together. */
export const pauseAfter = (tries: number): number =>
  Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs) * (0.75 + Math.random() / 2);

/** @throws the signal's reason if it ends the pause. */
export const pause = (ms: number, signal?: AbortSignal | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** A short wait needs no words. */
export const isWorthTelling = (tries: number): boolean => tries > 2;

export const busyWords = 'The service is busy. Trying again…';

/** HTTP API's own answer when a route is throttled. */
export const tooManyRequests = 'Too Many Requests';
/** HTTP API's own answer when Lambda throttles a function, and when a function takes too long. */
export const unavailable = 'Service Unavailable';

type Asking = { readonly signal?: AbortSignal | null | undefined; readonly tellBusy: () => void };

/** Asks again what API Gateway refused before any function ran, so that a change can't be made twice. */
export async function askAgainWhenBusy(
  ask: () => Promise<Response>,
  { signal, tellBusy }: Asking,
): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const askedAt = performance.now();
    const response = await ask();
    const tookMs = performance.now() - askedAt;
    if (tries === maxTries || !(await wasRefusedUnread(response, tookMs))) return response;
    if (isWorthTelling(tries)) tellBusy();
    await pause(pauseAfter(tries), signal);
  }
}

/** A function that took too long had 30 s, and may have done its work. */
const surelyThrottledMs = 20_000;

/**
 * API Gateway's refusals have only a message. The service's have a code, and reasons that asking again won't change.
 */
async function wasRefusedUnread(response: Response, tookMs: number): Promise<boolean> {
  if (response.status !== 429 && response.status !== 503) return false;
  const message = messageOf(await response.clone().text());
  return message === tooManyRequests || (message === unavailable && tookMs < surelyThrottledMs);
}

function messageOf(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'message' in body && body.message;
  } catch {
    return undefined;
  }
}
