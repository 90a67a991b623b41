import { operatorEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openOperatorGate } from '#shared/http/shared-secret';
import { openOrganizationDeletionStore } from '#shared/identity/organization-deletion-store';
import { openTable } from '#shared/table/table-client';
import { deleteOrganization } from './delete-organization.ts';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(operatorEnvironment);
const deletion = {
  admitOperator: openOperatorGate(environment.OPERATOR_SECRET_ID),
  now: Date.now,
  organizations: openOrganizationDeletionStore(openTable(environment.TABLE_NAME)),
};

export const handler = serve(endpoint, deletion, deleteOrganization);
