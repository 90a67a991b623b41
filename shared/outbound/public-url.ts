import { BlockList, isIP } from 'node:net';
import type * as z from 'zod/mini';
import { invalidField } from '#shared/errors/service-error';

/** Only the local twin allows http, and only to loopback. */
export type PublicUrlPolicy = { readonly allowLoopbackHttp: boolean };

type PublicUrlResult =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: string };

/** Names that never lead to the public internet (RFC 6761, RFC 6762, RFC 8375, cloud conventions). */
const privateNames =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa|corp|home)$/;

/**
 * Checks what the URL itself shows: scheme, credentials, port, and whether the host is private. The addresses it
 * resolves to are checked at each connection.
 */
export function checkPublicUrl(text: string, policy: PublicUrlPolicy): PublicUrlResult {
  const url = URL.parse(text);
  if (url === null) return refused('must be a URL such as https://example.com/path');
  if (url.username !== '' || url.password !== '') return refused('must not contain credentials');
  if (url.hash !== '') return refused('must not have a fragment');

  const host = hostOf(url);
  if (policy.allowLoopbackHttp && url.protocol === 'http:' && isLoopback(host)) {
    return { ok: true, url };
  }
  if (url.protocol !== 'https:') return refused('must begin with https://');
  if (!isOpenPort(url.port)) return refused('must use port 443, or one from 1024 up');
  const isPublic = isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host);
  return isPublic ? { ok: true, url } : refused(privateHost);
}

export function checkUrlField(text: string, context: z.core.$RefinementCtx<string>): void {
  const result = checkPublicUrl(text, { allowLoopbackHttp: true });
  if (!result.ok) context.addIssue(result.reason);
}

export function requireValidUrl(text: string, policy: PublicUrlPolicy): void {
  const result = checkPublicUrl(text, policy);
  if (!result.ok) throw invalidField('url', result.reason);
}

/** Ports below 1024 belong to mail, remote shells and the like, and we must not be made to contact those. */
const isOpenPort = (port: string): boolean => port === '' || Number(port) >= 1_024;

const isPublicName = (host: string): boolean =>
  !privateNames.test(host) && /^[^.]+(?:\.[^.]+)+$/.test(host);

const subnets = (family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
};

/**
 * Addresses outside the public internet. Sources: IANA's special-purpose address registries; RFC 5771 (multicast), RFC
 * 7526 (192.88.99.0/24).
 */
const specialIpv4 = subnets('ipv4', [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]);

/** IANA assigns IPv6 addresses only from here. `::7f00:1` and the like carry an IPv4 address. */
const globalIpv6 = subnets('ipv6', ['2000::/3']);
const specialIpv6 = subnets('ipv6', [
  ...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'],
]);

/** `false` for anything but an IP address. */
export function isPublicAddress(text: string): boolean {
  switch (isIP(text)) {
    case 4:
      return !specialIpv4.check(text);
    case 6:
      // Only link-local addresses have a zone.
      return (
        !text.includes('%') && globalIpv6.check(text, 'ipv6') && !specialIpv6.check(text, 'ipv6')
      );
    default:
      return false;
  }
}

const isLoopback = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host);

const loopbackIpv4 = subnets('ipv4', ['127.0.0.0/8']);

export const isLoopbackAddress = (text: string): boolean =>
  isIP(text) === 4 ? loopbackIpv4.check(text) : text === '::1';

/** Without brackets and final dot. WHATWG URLs turn every IPv4 notation into dots and write IPv6 in brackets. */
export const hostOf = (url: URL): string =>
  url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

const privateHost = 'must not lead to a private, loopback or reserved address';

const refused = (reason: string): PublicUrlResult => ({ ok: false, reason });
