import { isIPv6 } from 'node:net';

/** From API Gateway. Personal data: counted under a digest, never logged. */
export type RequestSource = {
  /** The peer of the connection to API Gateway. */
  readonly sourceIp: string;
  /**
   * `X-Forwarded-For`: each proxy appends its peer's address, API Gateway last. `undefined` if there can be no proxy.
   */
  readonly forwardedFor: string | undefined;
};

/**
 * An IPv4 address, or an IPv6 /64, since one holder has all of it.
 *
 * @param proxiesInFront of API Gateway, for example 1 with CloudFront. Only their entries are trusted: a caller may
 *   send any `X-Forwarded-For`, and it comes before theirs.
 */
export function sourceNetworkOf(
  { sourceIp, forwardedFor = '' }: RequestSource,
  proxiesInFront: number,
): string {
  const addresses = forwardedFor.split(',').map((address) => address.trim());
  const address = proxiesInFront === 0 ? sourceIp : (addresses.at(-1 - proxiesInFront) ?? sourceIp);
  return isIPv6(address) ? networkOf(address) : address;
}

function networkOf(address: string): string {
  const [front = '', back] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(front), groups(back ?? '')];
  const missing = back === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const all = [...before, ...Array.from({ length: missing }, () => '0'), ...after];
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
