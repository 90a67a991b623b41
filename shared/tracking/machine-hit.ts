import { isbot } from 'isbot';

/** Fetch standard, "Sec-Purpose"; older browsers and proxies name it differently. */
const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const prefetch = /prefetch|preview/i;

/**
 * Tells whether a machine made a tracking hit and not a person: a prefetch, a link scanner, a bot or a
 * mail-privacy proxy. The isbot list has Apple's Mail Privacy Protection too, which fetches every image on
 * arrival and says no more than `Mozilla/5.0`. A proxy that fetches when a person opens the mail, such as
 * Gmail's, counts as that person.
 *
 * @param headers by lower-case name.
 */
export function isMachineHit(headers: Readonly<Record<string, string | undefined>>): boolean {
  const userAgent = headers['user-agent']?.trim() ?? '';
  const isPrefetch = prefetchHeaders.some((name) => prefetch.test(headers[name] ?? ''));
  const isFetchedForPerson = /GoogleImageProxy|YahooMailProxy/.test(userAgent);
  const isBot = userAgent === '' || (isbot(userAgent) && !isFetchedForPerson);
  return isPrefetch || isBot;
}
