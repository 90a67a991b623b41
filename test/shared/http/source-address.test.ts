import { describe, expect, it } from 'vitest';
import { sourceNetworkOf } from '#shared/http/source-address';

const direct = { sourceIp: '203.0.113.7', forwardedFor: '198.51.100.1, 203.0.113.7' };

describe('sourceNetworkOf', () => {
  it('believes the connection alone when nothing stands in front', () => {
    expect(sourceNetworkOf(direct, 0)).toBe('203.0.113.7');
  });

  it('believes what the proxy in front wrote, and nothing that the caller wrote before it', () => {
    const throughProxy = {
      sourceIp: '130.176.0.1',
      forwardedFor: '1.1.1.1, 198.51.100.1, 130.176.0.1',
    };

    expect(sourceNetworkOf(throughProxy, 1)).toBe('198.51.100.1');
  });

  it('takes the connection when fewer proxies wrote than stand in front', () => {
    expect(sourceNetworkOf({ sourceIp: '203.0.113.7', forwardedFor: undefined }, 1)).toBe(
      '203.0.113.7',
    );
    expect(sourceNetworkOf({ sourceIp: '203.0.113.7', forwardedFor: '203.0.113.7' }, 2)).toBe(
      '203.0.113.7',
    );
  });

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('counts all addresses of the network of %s as one', (sourceIp, network) => {
    expect(sourceNetworkOf({ sourceIp, forwardedFor: undefined }, 0)).toBe(network);
  });
});
