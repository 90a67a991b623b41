import { policyViewSchema } from '#shared/organizations/policy-view';
import { pageSchema } from '#shared/table/list-position';

/** Response 200 of GET /api/v1/policies: all policies, the organization's own first. */
export const responseSchema = pageSchema(policyViewSchema);
