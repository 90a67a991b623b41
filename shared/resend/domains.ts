import * as z from 'zod/mini';
import { recordTypes } from '#shared/domains/dns-records';
import { domainField, mailFromLabelField } from '#shared/domains/domain-field';
import { pathTo } from '#shared/endpoints/resource-paths';
import { invalidField } from '#shared/errors/service-error';
import { always, given, unsupported } from '#shared/http/given-fields';
import type { DomainView, ListedDomain } from '#shared/identity/identity-view';
import { exampleTime } from '#shared/tokens/example-values';
import { resendTime, resendTimeSchema } from './management.ts';

/** A domain's id is its name, since an organization has it only once. */
export const resendDomainPath = pathTo({ id: domainField }, 'domain_not_found');

const oneRegion = 'must be the Region of this deployment, or left out';

const tracking = unsupported(
  'isn’t set per domain here: set the organization’s `tracking` with PATCH /api/v1/organization',
);

/** Here these are either set elsewhere or fixed. */
const settings = {
  open_tracking: tracking,
  click_tracking: tracking,
  tracking_subdomain: unsupported(),
  tls: always('opportunistic', 'must be "opportunistic": mail is never refused for lack of TLS'),
  capabilities: given(
    z.strictObject({
      sending: always('enabled', 'must be "enabled": delete the domain to stop sending from it'),
      receiving: always('disabled', 'must be "disabled": email is not received here'),
    }),
  ),
};

export const resendDomainSchema = z.strictObject({
  name: domainField,
  region: given(z.string()),
  custom_return_path: given(mailFromLabelField),
  ...settings,
});

export const resendDomainChangeSchema = z.strictObject(settings);

export function toNewDomain(
  { name, region, custom_return_path }: z.output<typeof resendDomainSchema>,
  ownRegion: string,
) {
  if (region != null && region !== ownRegion) throw invalidField('region', oneRegion);
  return { domain: name, mailFromLabel: custom_return_path ?? 'send' };
}

const recordSchema = z.object({
  /** Only we have `Ownership`. */
  record: z.enum(['SPF', 'DKIM', 'Ownership']),
  name: z.string(),
  type: z.enum(recordTypes),
  ttl: z.string(),
  status: z.enum(['verified', 'pending', 'failed', 'temporary_failure']),
  value: z.string(),
  priority: z.optional(z.int()),
});

const listedSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(['pending', 'verified', 'failed']),
  created_at: resendTimeSchema,
  region: z.string(),
  capabilities: z.object({ sending: z.literal('enabled'), receiving: z.literal('disabled') }),
});
export const resendListedDomainSchema = listedSchema;

export const resendDomainViewSchema = z.object({
  object: z.literal('domain'),
  ...listedSchema.shape,
  records: z.array(recordSchema),
});

export const resendDomainIdSchema = z.object({ object: z.literal('domain'), id: z.string() });

const statuses = { active: 'verified', pending: 'pending', failed: 'failed' } as const;

export const toListedResendDomain = (
  { domain, status, createdAt }: Pick<ListedDomain, 'domain' | 'status' | 'createdAt'>,
  region: string,
) => ({
  id: domain,
  name: domain,
  status: statuses[status],
  created_at: resendTime(createdAt),
  region,
  capabilities: { sending: 'enabled' as const, receiving: 'disabled' as const },
});

export const toResendDomain = (domain: DomainView) => ({
  object: 'domain' as const,
  ...toListedResendDomain(domain, domain.account.region),
  records: domain.records.flatMap(toResendRecord),
});

const kinds = {
  ownership: 'Ownership',
  dkim: 'DKIM',
  mail_from_mx: 'SPF',
  mail_from_spf: 'SPF',
  // Only advice: no domain waits for it.
  dmarc: undefined,
} as const;

const recordStatuses = {
  found: 'verified',
  missing: 'pending',
  wrong: 'failed',
  unknown: 'temporary_failure',
} as const;

function toResendRecord({
  purpose,
  type,
  relativeName,
  value,
  state,
}: DomainView['records'][number]) {
  const record = kinds[purpose];
  if (record === undefined) return [];
  const [priority = '', host = value] = type === 'MX' ? value.split(' ') : [];
  return [
    {
      record,
      name: relativeName,
      type,
      ttl: 'Auto',
      status: recordStatuses[state],
      value: host,
      ...(type === 'MX' && { priority: Number(priority) }),
    },
  ];
}

export const resendDomainWords = {
  name: 'The domain.',
  status: '`pending`, `verified` or `failed`.',
  region: 'The Region of the deployment.',
  custom_return_path: 'Bounces go to `<this>.<domain>`. Without it, `send`.',
  tls: '`opportunistic`, which is how email is always sent.',
  capabilities: 'What the domain is for: sending.',
  sending: '`enabled`.',
  receiving: '`disabled`.',
  open_tracking: 'Refused: the organization has one setting for all domains.',
  click_tracking: 'Refused: the organization has one setting for all domains.',
  tracking_subdomain: 'Refused.',
  records: 'The DNS records to publish.',
  record:
    '`SPF` or `DKIM`; or `Ownership`, which Resend doesn’t have: it proves that the domain is this organization’s.',
  'records.name': 'Its name within the zone.',
  'records.type': 'The type of the record.',
  'records.status':
    '`verified` once DNS has it, `failed` if DNS has something else, `temporary_failure` if DNS didn’t answer.',
  'records.value': 'Its value.',
  ttl: 'How long DNS may keep it.',
  priority: 'Of an MX.',
} as const;

const exampleListed = {
  id: 'news.example.com',
  name: 'news.example.com',
  status: 'pending',
  created_at: resendTime(exampleTime),
  region: 'eu-west-1',
  capabilities: { sending: 'enabled', receiving: 'disabled' },
} as const;

export const exampleResendDomains = [exampleListed] as const;

export const exampleResendDomain = {
  object: 'domain',
  ...exampleListed,
  records: [
    {
      record: 'SPF',
      name: 'send.news',
      type: 'MX',
      ttl: 'Auto',
      status: 'pending',
      value: 'feedback-smtp.eu-west-1.amazonses.com',
      priority: 10,
    },
  ],
} as const;

export const exampleDomainId = { object: 'domain', id: 'news.example.com' } as const;
