import * as z from 'zod/mini';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { domainClaimReference } from '#shared/domains/domain-claim-view';
import { domainField } from '#shared/domains/domain-field';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { endDomainClaim, storeDomainRelease } from '#shared/identity/domain-claim-store';
import { readDomainOwnership } from '#shared/identity/domain-store';
import { afterRelease, pendingOf } from '#shared/identity/identity';
import { changedMeanwhile } from '#shared/identity/identity-changes';
import { sendingChange, sendingOf } from '#shared/identity/identity-items';
import { contextWith, getBothIdentities } from '#shared/identity/identity-store';
import { exampleIds } from '#shared/tokens/example-values';
import { listedOrganizationId } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/domain-claims/{domain}',
    access: 'operator',
    path: z.object({ domain: domainField }),
    unmatchedPath: 'domain_claim_not_found',
    query: z.strictObject({ organizationId: listedOrganizationId }),
    answers: { 204: { description: 'The domain is released.' } },
    errors: ['validation_failed', 'concurrent_change'],
    lambda: {
      stack: 'Organizations',
      tableActions: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    },
    words: {
      section: 'Operator',
      summary: 'Release a domain of an organization',
      description:
        'Ends the organization’s claim, vouch and ownership. Its sends from the domain are refused from then on, and the domain leaves SES within minutes, unless another organization wants it. The organization can set it again.',
      fields: domainClaimReference.fields,
      example: {
        path: { domain: 'news.example.com' },
        query: { organizationId: exampleIds.organization },
      },
    },
  },
  // Sends from it are refused at once. The checks then remove the domain from SES and end its claim.
  async ({ caller, path: { domain }, query: { organizationId } }, { table, now: readClock }) => {
    const now = readClock();
    const [both, existing] = await Promise.all([
      getBothIdentities(table, organizationId, domain),
      readDomainOwnership(table, domain, now),
    ]);
    const { place, identity: before, organization } = contextWith(both);
    if (before?.removing.includes(domain)) return;
    const audit = newAuditEntry(
      organizationId,
      caller.actor,
      { action: 'domain.released', target: domain },
      now,
    );
    const sending = sendingOf(place, organization);
    const isInUse = sending?.domain === domain;
    if (before !== undefined && (isInUse || before.wanted?.domain === domain)) {
      const change = { before, after: afterRelease(before, domain, now) };
      // A domain beside the default stays in the list, where it can be set again or deleted.
      const after = place.otherDomain === undefined ? null : sending && pendingOf(sending);
      const left = isInUse ? sendingChange(place, organization, after) : {};
      const outcome = await storeDomainRelease(table, change, left, audit);
      if (outcome === 'changed_meanwhile') throw changedMeanwhile();
      return;
    }
    const isNamed =
      existing.owner?.organizationId === organizationId ||
      existing.claims.some((claim) => claim.organizationId === organizationId);
    if (!isNamed) throw new ServiceError('domain_claim_not_found');
    const outcome = await endDomainClaim(table, domain, organizationId, existing, audit);
    if (outcome === 'changed_meanwhile') throw changedMeanwhile();
  },
);
