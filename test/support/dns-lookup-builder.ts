import { onTestFinished } from 'vitest';
import { openDnsLookup } from '#shared/domains/dns-lookup';
import { createLocalDns } from '../../infra/local/dns/records.ts';
import { startDnsServer } from '../../infra/local/dns/server.ts';

/** A lookup that asks a DNS server of this process. */
export async function lookupOf(zoneFile: string) {
  const dns = createLocalDns();
  dns.publish(zoneFile);
  const server = await startDnsServer(dns);
  onTestFinished(server.stop);
  return openDnsLookup(server.address);
}
