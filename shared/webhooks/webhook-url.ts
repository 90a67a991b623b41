import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type * as z from 'zod/mini';
import { invalidField } from '#shared/errors/service-error';

/** Only the local twin allows http, and only to loopback. */
export type WebhookUrlPolicy = { readonly allowLoopbackHttp: boolean };

export type WebhookUrlResult =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: string };

/** Names that never lead to the public internet (RFC 6761, RFC 6762, RFC 8375, cloud conventions). */
const privateNames =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa|corp|home)$/;

/**
 * Checks what the URL itself shows: scheme, credentials, port, and whether the host is an address or name of
 * a private network. The addresses it resolves to are checked at each connection.
 */
export function checkWebhookUrl(text: string, policy: WebhookUrlPolicy): WebhookUrlResult {
  const url = URL.parse(text);
  if (url === null) return refused('must be a URL such as https://example.com/webhooks');
  if (url.username !== '' || url.password !== '') return refused('must not hold credentials');
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

/**
 * Adds a URL's fault to those of its request. Whether http may go to this machine isn't known to a schema:
 * `requireValidUrl` checks that.
 */
export function checkUrlField(text: string, context: z.core.$RefinementCtx<string>): void {
  const result = checkWebhookUrl(text, { allowLoopbackHttp: true });
  if (!result.ok) context.addIssue(result.reason);
}

export function requireValidUrl(text: string, policy: WebhookUrlPolicy): void {
  const result = checkWebhookUrl(text, policy);
  if (!result.ok) throw invalidField('url', result.reason);
}

/** Ports below 1024 belong to mail, remote shells and the like, which we must not be made to contact. */
const isOpenPort = (port: string): boolean => port === '' || Number(port) >= 1_024;

const isPublicName = (host: string): boolean =>
  !privateNames.test(host) && /^[^.]+(?:\.[^.]+)+$/.test(host);

/** IANA assigns IPv6 addresses from 2000::/3 only. `::7f00:1` and the like carry an IPv4 address. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/** Whether an IP address belongs to the public internet. */
export function isPublicAddress(text: string): boolean {
  const address = ipaddr.parse(text);
  const isGlobal = address.kind() === 'ipv4' || address.match(globalIpv6);
  return isGlobal && address.range() === 'unicast';
}

/** Whether a host, by name or address, is this machine. */
const isLoopback = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host);

export const isLoopbackAddress = (text: string): boolean =>
  isIP(text) !== 0 && ipaddr.parse(text).range() === 'loopback';

/**
 * A URL's host, without brackets and final dot. WHATWG URLs turn every IPv4 notation into dots and write IPv6
 * in brackets.
 */
export const hostOf = (url: URL): string =>
  url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

const privateHost = 'must not lead to a private, loopback or reserved address';

const refused = (reason: string): WebhookUrlResult => ({ ok: false, reason });
