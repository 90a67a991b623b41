import * as z from 'zod/mini';
import {
  accountProblemSchema,
  problemsOf,
  productionAccessRequestFor,
  type SesAccount,
  sesAccountSchema,
} from '#shared/domains/account-state';
import { type DmarcPolicy, dmarcNamesOf, dmarcPolicies, findDmarc } from '#shared/domains/dmarc';
import type { DnsLookup } from '#shared/domains/dns-lookup';
import {
  type DnsRecord,
  recordPurposes,
  recordsOf,
  recordTypes,
  relativeTo,
  zoneFileOf,
} from '#shared/domains/dns-records';
import { ownershipRecordValue } from '#shared/domains/domain-ownership';
import {
  checkRecord,
  type RecordCheck,
  recordStates,
  unanswered,
} from '#shared/domains/record-check';
import { dkimStatuses, type SesDomain } from '#shared/domains/ses-domain';
import {
  activeDomainsOf,
  type Organization,
  tenantStateSchema,
} from '#shared/organizations/organization';
import type { OrganizationId } from '#shared/tokens/resource-id';
import {
  type Identity,
  type IdentityPlace,
  identityStatuses,
  type WantedIdentity,
} from './identity.ts';
import type { DomainTitle } from './settle-ownership.ts';

const sesStatus = z.enum(dkimStatuses);

const recordSchema = z.object({
  purpose: z.enum(recordPurposes),
  isRequired: z.boolean(),
  type: z.enum(recordTypes),
  name: z.string(),
  relativeName: z.string(),
  value: z.string(),
  state: z.enum(recordStates),
  seen: z.array(z.string()),
  hint: z.optional(z.string()),
  /** Only for DMARC, once found: what receivers do with forgeries of the domain. */
  policy: z.optional(z.enum(dmarcPolicies)),
});

export const accountViewSchema = z.extend(sesAccountSchema, {
  problems: z.array(accountProblemSchema),
});
const accountWithRequestSchema = z.extend(accountViewSchema, {
  productionAccessRequest: z.optional(z.string()),
});

export const identityViewSchema = z.object({
  domain: z.string(),
  fromEmail: z.string(),
  status: z.enum(identityStatuses),
  reason: z.optional(z.string()),
  createdAt: z.int(),
  /** The identity in use: this one, or an earlier one until this is active. */
  sendingAs: z.nullable(z.object({ domain: z.string(), fromEmail: z.string() })),
  /** `null` unless the organization is an SES tenant. */
  tenant: z.nullable(tenantStateSchema),
  dkim: z.object({ status: sesStatus }),
  mailFrom: z.object({ domain: z.string(), status: sesStatus }),
  records: z.array(recordSchema),
  zoneFile: z.string(),
  account: accountWithRequestSchema,
});
export type IdentityView = z.infer<typeof identityViewSchema>;

export const domainViewSchema = z.extend(identityViewSchema, {
  /** The identity of sends that name no From address. */
  isDefault: z.boolean(),
});
export type DomainView = z.infer<typeof domainViewSchema>;

export const withDefault = (
  identity: IdentityView,
  { place }: { readonly place: IdentityPlace },
): DomainView => ({ ...identity, isDefault: place.otherDomain === undefined });

/** Asks neither SES nor DNS. */
export const listedDomainSchema = z.object({
  ...z.pick(domainViewSchema, {
    domain: true,
    isDefault: true,
    fromEmail: true,
    status: true,
    reason: true,
    createdAt: true,
  }).shape,
  canSend: z.boolean(),
});
export type ListedDomain = z.infer<typeof listedDomainSchema>;

export const listDomains = (
  identities: readonly Identity[],
  organization: Pick<Organization, 'identity' | 'domains'> | undefined,
): ListedDomain[] =>
  identities.flatMap(({ otherDomain, wanted }) => {
    if (wanted === undefined) return [];
    const { domain, fromEmail, status, reason, createdAt } = wanted;
    return {
      domain,
      isDefault: otherDomain === undefined,
      fromEmail,
      status,
      ...(reason !== undefined && { reason }),
      createdAt,
      canSend: organization !== undefined && activeDomainsOf(organization).includes(domain),
    };
  });

type ViewedIdentity = {
  readonly wanted: WantedIdentity;
  readonly organizationId: OrganizationId;
  readonly organization: Pick<Organization, 'identity' | 'tenant'> | undefined;
  readonly title: DomainTitle;
  /** `undefined` while SES doesn't have the domain. */
  readonly found: SesDomain | undefined;
  readonly account: SesAccount;
};

/** Includes what DNS has for its records now. */
export async function viewIdentity(
  { wanted, organizationId, organization, title, found, account }: ViewedIdentity,
  dns: DnsLookup,
): Promise<IdentityView> {
  const { domain, fromEmail, status, reason, createdAt, mailFromDomain } = wanted;
  const zone = await dns.zoneOf(domain);
  const records = recordsOf({
    domain,
    ownership: {
      value: ownershipRecordValue(domain, organizationId),
      isRequired: title.holding !== 'owner' || title.ownership.owner?.proof === 'record',
    },
    mailFromDomain,
    zone,
    dkimTokens: found?.dkim.tokens ?? [],
    dkimHostedZone: found?.dkim.hostedZone ?? '',
    region: account.region,
  });
  const [sighted, dmarc] = await Promise.all([
    Promise.all(records.map((record) => withCheck(record, zone, dns))),
    lookUpDmarc(domain, dns),
  ]);
  const checked = sighted.map((record) =>
    record.purpose === 'dmarc' ? withDmarc(record, dmarc, zone) : record,
  );
  return {
    domain,
    fromEmail,
    status,
    ...(reason !== undefined && { reason }),
    createdAt,
    sendingAs: organization?.identity?.status === 'active' ? organization.identity : null,
    tenant: organization?.tenant ?? null,
    dkim: { status: statusFor(title, found?.dkim.status) },
    mailFrom: {
      domain: mailFromDomain,
      status: statusFor(
        title,
        found?.mailFrom?.domain === mailFromDomain ? found.mailFrom.status : undefined,
      ),
    },
    records: checked,
    zoneFile: zoneFileOf(records.filter(({ purpose }) => purpose !== 'dmarc' || dmarc === 'none')),
    account: viewAccount(account, domain),
  };
}

/** Only the owner sees SES's progress with the domain. */
const statusFor = (
  { holding, ownership: { owner } }: DomainTitle,
  status: SesDomain['dkim']['status'] = 'NOT_STARTED',
) => (holding === 'owner' || owner === undefined ? status : 'PENDING');

type CheckedRecord = DnsRecord & { seen: string[]; policy?: DmarcPolicy } & Omit<
    RecordCheck,
    'seen'
  >;

const withCheck = async (
  record: DnsRecord,
  zone: string,
  dns: DnsLookup,
): Promise<CheckedRecord> => {
  const { seen, ...check } = checkRecord(record, zone, await dns.sight(record, zone));
  return { ...record, ...check, seen: [...seen] };
};

async function lookUpDmarc(domain: string, dns: DnsLookup): Promise<ReturnType<typeof findDmarc>> {
  const names = dmarcNamesOf(domain);
  return findDmarc(names, await Promise.all(names.map((name) => dns.textsOf(name))));
}

/**
 * An existing policy counts, even above the domain: our record with `p=none` would undo it. So while DNS is silent, we
 * don't ask for one.
 */
function withDmarc(
  record: CheckedRecord,
  dmarc: ReturnType<typeof findDmarc>,
  zone: string,
): CheckedRecord {
  if (dmarc === 'none') return record;
  if (dmarc === 'unanswered') return { ...record, ...unanswered };
  const { hint: _, ...asked } = record;
  const { name, value, policy } = dmarc;
  const relativeName = relativeTo(zone, name);
  return { ...asked, name, relativeName, value, policy, state: 'found', seen: [value] };
}

const viewAccount = (account: SesAccount, domain: string) => ({
  ...account,
  problems: problemsOf(account),
  ...(!account.hasProductionAccess && {
    productionAccessRequest: productionAccessRequestFor(domain),
  }),
});
