import { openAuthentication } from '#shared/access/authenticate';
import { bucketEnvironment, parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openContentStore } from '#shared/content/content-store';
import { serve } from '#shared/endpoints/serve';
import { ServiceError } from '#shared/errors/service-error';
import { cancelSend } from '#shared/sending/later/change-plan';
import { openWaitingStore } from '#shared/sending/later/waiting-store';
import { openTable } from '#shared/table/table-client';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { endpoint } from './endpoint.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const canceling = {
  ...openAuthentication(table),
  waiting: openWaitingStore(table),
  contents: openContentStore(parseEnvironment(bucketEnvironment)),
};

export const handler = serve(
  endpoint,
  canceling,
  ({ caller: { organizationId }, path: { id }, log }) => {
    if (organizationIdOf(id) !== organizationId) throw new ServiceError('send_not_found');
    return cancelSend(id, canceling, log);
  },
);
