import * as z from 'zod/mini';
import type { Manager } from '#shared/access/admit-caller';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { addressField } from '#shared/contacts/address-field';
import { mailFromLabelField } from '#shared/domains/domain-field';
import { changesOf } from '#shared/endpoints/changes-of';
import { defineEndpoint, type RequestTo, type Surroundings } from '#shared/endpoints/endpoint';
import { domainPath } from '#shared/endpoints/resource-paths';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import { admitIdentityChange, changedMeanwhile } from '#shared/identity/identity-changes';
import { domainAnswer, domainReference } from '#shared/identity/identity-reference';
import { getBothIdentities, storeNewDefault } from '#shared/identity/identity-store';
import {
  changeErrors,
  changesDomains,
  domainChanges,
  type IdentityUpkeep,
} from '#shared/identity/identity-upkeep';
import { readDomain, setDomain } from '#shared/identity/set-domain';
import type { WantingContext } from '#shared/identity/settle-identity';
import { showDomain } from '#shared/identity/show-identity';
import type { TableAndClock } from '#shared/table/table-client';
import { defaultChangeOf } from './make-default.ts';

type DomainUpdate = RequestTo<typeof declaration> & Pick<Surroundings, 'log'>;

const declaration = defineEndpoint({
  route: 'PATCH /api/v1/domains/{domain}',
  access: { key: 'required', scope: 'manage_organization' },
  ...domainPath,
  body: changesOf(
    {
      default: z.exactOptional(z.literal(true)),
      fromEmail: z.exactOptional(addressField),
      mailFromLabel: z.exactOptional(mailFromLabelField),
    },
    'must change at least one field',
  ),
  answers: { 200: domainAnswer },
  errors: ['domain_not_active', ...changeErrors],
  isLimited: true,
  uses: changesDomains,
  lambda: { stack: 'Domains', tableActions: domainChanges },
  words: {
    section: 'Organization',
    summary: 'Change a domain, or make it the default',
    description:
      'The former default stays as a further domain. Only an active domain can become the default.',
    fields: {
      ...domainReference.fields,
      default: '`true` makes it the default: the From identity, for sends without a From address.',
    },
    example: { path: { domain: 'billing.example.com' }, body: { default: true } },
  },
});

export const endpoint = defineEndpoint(
  declaration,
  // Changes come first, then the default; a repeated request does the rest.
  async ({ caller, path: { domain }, body, log }: DomainUpdate, management: IdentityUpkeep) => {
    const { organizationId } = caller;
    const before = await readDomain(management.table, organizationId, domain);
    const makesDefault = body.default === true && before.place.otherDomain !== undefined;
    if (makesDefault) requireActive(before);
    const wanted = wantedAfter(before, body);
    await admitIdentityChange(organizationId, management);
    if (wanted !== undefined) {
      const setting = { wanted, context: before, action: 'domain.changed' };
      await setDomain(setting, { caller, log }, management);
    }
    if (makesDefault) await makeDefault(domain, caller, management);
    return showDomain(await readDomain(management.table, organizationId, domain), management);
  },
);

/** `undefined` if the request leaves the domain itself unchanged. */
function wantedAfter(
  { identity: { wanted } }: WantingContext,
  { fromEmail = wanted.fromEmail, mailFromLabel }: DomainUpdate['body'],
) {
  const { domain } = wanted;
  if (!fromEmail.endsWith(`@${domain}`)) {
    throw invalidField('fromEmail', 'must be an address of the domain');
  }
  const mailFromDomain =
    mailFromLabel === undefined ? wanted.mailFromDomain : `${mailFromLabel}.${domain}`;
  const isSame = fromEmail === wanted.fromEmail && mailFromDomain === wanted.mailFromDomain;
  return isSame ? undefined : { domain, fromEmail, mailFromDomain };
}

function requireActive({ identity: { wanted } }: WantingContext): void {
  if (wanted.status !== 'active') throw new ServiceError('domain_not_active');
}

async function makeDefault(
  domain: string,
  { organizationId, actor }: Manager,
  { table, now: readClock }: TableAndClock,
): Promise<void> {
  const now = readClock();
  const both = await getBothIdentities(table, organizationId, domain);
  const change = defaultChangeOf(both, now);
  // A concurrent request made it the default, or deleted it.
  if (change === undefined) throw changedMeanwhile();
  const formerDomain = both.byDefault.identity?.wanted?.domain;
  const audit = newAuditEntry(
    organizationId,
    actor,
    {
      action: 'domain.made_default',
      target: domain,
      ...(formerDomain !== undefined && { before: { default: formerDomain } }),
      after: { default: domain },
    },
    now,
  );
  const outcome = await storeNewDefault(table, change.identities, change.organization, audit);
  if (outcome === 'changed_meanwhile') throw changedMeanwhile();
}
