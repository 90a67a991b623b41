/** In the local twin, all of these hosts are this machine. */
const twinHosts = '*.localhost';

export const isLinkDomain = (host: string, linkDomains: readonly string[]): boolean =>
  linkDomains.includes(twinHosts)
    ? /^[a-z0-9-]+\.localhost$/.test(host)
    : linkDomains.includes(host);

/**
 * `undefined` for the service's own address. Trusts only what API Gateway says about the connection, never a header
 * that the caller wrote.
 */
export function linkHostOf(
  { requestContext }: { readonly requestContext: { readonly domainName: string } },
  linkDomains: readonly string[],
): string | undefined {
  // The twin's host has a port, and a name may end with the root's dot.
  const host = requestContext.domainName.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return isLinkDomain(host, linkDomains) ? host : undefined;
}

/** A link domain serves nothing else: no API, console or document. */
export const isOnLinkDomains = (path: string): boolean =>
  /^\/(t\/[oc]\/[^/]+|api\/unsubscribe|preferences)$/.test(path);
