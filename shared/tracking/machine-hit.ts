import { isbot } from 'isbot';
import type { RequestLog } from '#shared/observability/request-log';
import type { Hit } from './engagement.ts';

export type LinkRequest = {
  readonly token: string;
  /** `undefined` for the service's own address. */
  readonly linkHost?: string | undefined;
  readonly method: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly log: RequestLog;
};

/**
 * Failures are only logged, so that people still get to the destination. HEAD asks where a link leads without following
 * it, so it isn't counted.
 */
export async function recordHit(
  { method, headers, log }: LinkRequest,
  now: number,
  record: (hit: Hit) => Promise<void>,
): Promise<void> {
  if (method === 'HEAD') return;
  try {
    await record({ at: now, isMachine: isMachineHit(headers) });
  } catch (error) {
    log.error('hit not recorded', error);
  }
}

/** Fetch standard, "Sec-Purpose"; older browsers and proxies name it differently. */
const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const prefetch = /prefetch|preview/i;

/**
 * A prefetch, a link scanner, a bot or a mail-privacy proxy. The isbot list includes Apple's Mail Privacy Protection,
 * which fetches every image on arrival and says no more than `Mozilla/5.0`. A proxy that fetches when a person opens
 * the mail, such as Gmail's, counts as that person.
 */
export function isMachineHit(headers: Readonly<Record<string, string | undefined>>): boolean {
  const userAgent = headers['user-agent']?.trim() ?? '';
  const isPrefetch = prefetchHeaders.some((name) => prefetch.test(headers[name] ?? ''));
  const isFetchedForPerson = /GoogleImageProxy|YahooMailProxy/.test(userAgent);
  const isBot = userAgent === '' || (isbot(userAgent) && !isFetchedForPerson);
  return isPrefetch || isBot;
}
