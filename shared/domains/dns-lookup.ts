import { Resolver } from 'node:dns/promises';
import { capability } from '#shared/aws/capability';
import { dnsEnvironment } from '#shared/config/environment';
import type { DnsAnswer, DnsRecord, RecordSightings } from './dns-records.ts';

export type DnsLookup = {
  /** Also looks where a mistake would have put it. */
  sight(record: Pick<DnsRecord, 'type' | 'name'>, zone: string): Promise<RecordSightings>;
  cnameOf(name: string): Promise<DnsAnswer>;
  textsOf(name: string): Promise<DnsAnswer>;
  /** The nearest domain above with an SOA record. */
  zoneOf(domain: string): Promise<string>;
};

/** A request waits for all tries: three seconds if DNS is silent, because Node doubles the timeout. */
const patience = { timeout: 1_000, tries: 2 };

/** Any other error leaves it open whether there is such a record (Node.js API, `dns`). */
const noRecord = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * @param server `address:port` of a DNS server other than the machine's.
 * @param limits milliseconds of the first try, and the number of tries.
 */
export function openDnsLookup(server?: string, limits = patience): DnsLookup {
  const resolver = new Resolver(limits);
  if (server !== undefined) resolver.setServers([server]);
  const ask = {
    CNAME: (name: string) => resolver.resolveCname(name),
    MX: async (name: string) =>
      (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`),
    TXT: async (name: string) => (await resolver.resolveTxt(name)).map((parts) => parts.join('')),
    A: (name: string) => resolver.resolve4(name),
    SOA: async (name: string) => [(await resolver.resolveSoa(name)).nsname],
  } as const;
  const lookUp = async (type: keyof typeof ask, name: string): Promise<DnsAnswer> => {
    try {
      return await ask[type](name);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      return noRecord.has(code) ? [] : 'unanswered';
    }
  };
  return {
    cnameOf: (name) => lookUp('CNAME', name),
    textsOf: (name) => lookUp('TXT', name),
    sight: async ({ type, name }, zone) => {
      const [own, underDoubledName, addresses] = await Promise.all([
        lookUp(type, name),
        lookUp(type, `${name}.${zone}`),
        type === 'CNAME' ? lookUp('A', name) : [],
      ]);
      return { own, underDoubledName, addresses };
    },
    zoneOf: async (domain) => {
      const labels = domain.split('.');
      // A top-level domain isn't an organization's zone.
      const candidates = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
      const answers = await Promise.all(candidates.map((name) => lookUp('SOA', name)));
      const index = answers.findIndex((answer) => answer !== 'unanswered' && answer.length > 0);
      return candidates[index] ?? domain;
    },
  };
}

export const asksDns = /* @__PURE__ */ capability(
  { environment: dnsEnvironment },
  ({ DNS_SERVER }) => openDnsLookup(DNS_SERVER),
);
