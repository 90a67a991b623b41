import { isIPv6 } from 'node:net';

/** Where a request came from, as API Gateway tells it. Personal data: it is counted under a digest, and never logged. */
export type RequestSource = {
  /** Of the connection to API Gateway. */
  readonly sourceIp: string;
  /** `X-Forwarded-For`: each proxy adds the address that it was asked from, API Gateway the last. */
  readonly forwardedFor: string | undefined;
};

/**
 * The network that a request came from: an IPv4 address, or the /64 of an IPv6 address, since its holder has all of that.
 *
 * @param proxiesInFront how many proxies stand before API Gateway, for example 1 with CloudFront. Only what these
 *   wrote is believed: a caller may send any `X-Forwarded-For`, and it stands before theirs.
 */
export function sourceNetworkOf(
  { sourceIp, forwardedFor = '' }: RequestSource,
  proxiesInFront: number,
): string {
  const addresses = forwardedFor.split(',').map((address) => address.trim());
  const address = proxiesInFront === 0 ? sourceIp : (addresses.at(-1 - proxiesInFront) ?? sourceIp);
  return isIPv6(address) ? networkOf(address) : address;
}

/** The first four groups of an IPv6 address, without leading zeros (RFC 4291 §2.2). */
function networkOf(address: string): string {
  const [front = '', back] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(front), groups(back ?? '')];
  const missing = back === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const all = [...before, ...Array.from({ length: missing }, () => '0'), ...after];
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
