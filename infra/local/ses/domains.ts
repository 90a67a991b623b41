import { ownerTag } from '#shared/config/ses-settings';
import { recordsOf, zoneFileOf } from '#shared/domains/dns-records';
import { ownershipRecordValue } from '#shared/domains/domain-ownership';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { createLocalDns, dnsRecordsSchema } from '../dns/records.ts';
import { gatewayMessage, type HttpApiResponse } from '../gateway/http-api-response.ts';
import { type LocalOrganization, resendDomain } from '../seed.ts';
import type { KeptData } from '../twin-files.ts';
import { createSesAccount, type SesAccountSimulation } from './account.ts';
import { newSesState, sesStateSchema } from './state.ts';

/** Kept between starts. */
export function createLocalAccount(
  data: KeptData | undefined,
  onTenantStatus: (arn: string) => void,
): SesAccountSimulation {
  const records = data?.keep('dns', dnsRecordsSchema, () => []) ?? [];
  const dns = createLocalDns(records, (changed) => data?.replace('dns', changed));
  const state = data?.keep('ses', sesStateSchema, newSesState) ?? newSesState();
  return createSesAccount(dns, state, (changed) => data?.replace('ses', changed), onTenantStatus);
}

/** For the twin's first organization, verified by DNS records. */
export function verifyLocalDomain(
  account: SesAccountSimulation,
  { fromEmail, organizationId }: Pick<LocalOrganization, 'fromEmail' | 'organizationId'>,
): void {
  const [, ownDomain = ''] = fromEmail.split('@');
  for (const domain of [ownDomain, resendDomain]) verifyDomain(account, domain, organizationId);
}

function verifyDomain(
  account: SesAccountSimulation,
  domain: string,
  organizationId: OrganizationId,
): void {
  if (tokensOf(account, domain).length > 0) return;
  const mailFromDomain = `bounces.${domain}`;
  const body = { EmailIdentity: domain, Tags: [{ Key: ownerTag, Value: organizationId }] };
  account.answer({ method: 'POST', path: '/identities', body });
  const path = `/identities/${domain}/mail-from`;
  account.answer({ method: 'PUT', path, body: { MailFromDomain: mailFromDomain } });
  const records = recordsOf({
    domain,
    ownership: { value: ownershipRecordValue(domain, organizationId), isRequired: true },
    mailFromDomain,
    zone: domain,
    dkimTokens: tokensOf(account, domain),
    dkimHostedZone: 'dkim.amazonses.com',
    region: 'us-east-1',
  });
  account.dns.publish(zoneFileOf(records));
}

const tokensOf = ({ state }: SesAccountSimulation, domain: string): readonly string[] =>
  state.identities[domain]?.tokens ?? [];

/**
 * For people and tests: `POST /_local/dns` publishes a zone file, `DELETE` removes all records, `POST /_local/ses` sets
 * SES's switches.
 *
 * @returns `undefined` for any other path.
 */
export function changeLocalDomains(
  { dns, turn, state }: SesAccountSimulation,
  method: string,
  path: string,
  body: string,
): HttpApiResponse | undefined {
  try {
    switch (`${method} ${path}`) {
      case 'POST /_local/dns':
        dns.publish(body);
        return shown(dns.records);
      case 'DELETE /_local/dns':
        dns.clear();
        return shown(dns.records);
      case 'POST /_local/ses':
        turn(JSON.parse(body));
        return shown(state);
      default:
        return undefined;
    }
  } catch (error) {
    return gatewayMessage(400, error instanceof Error ? error.message : String(error));
  }
}

const shown = (value: unknown): HttpApiResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
