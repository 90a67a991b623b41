import { organizationOf } from '#shared/access/admit-caller';
import { serve } from '#shared/endpoints/serve';
import { ServiceError } from '#shared/errors/service-error';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { policyViewOf } from '#shared/organizations/policy-view';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  { organizations: openOrganizationStore },
  async ({ caller, path }, { organizations }) => {
    const policy = policyViewOf(await organizationOf(caller, organizations), path.key);
    if (policy === undefined) throw new ServiceError('policy_not_found');
    return policy;
  },
);
