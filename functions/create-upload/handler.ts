import { openAuthentication } from '#shared/access/authenticate';
import { openDayQuotaStore } from '#shared/access/day-quota-store';
import { openAttachmentGate } from '#shared/attachments/attachment-gate';
import { openUploadStore } from '#shared/attachments/upload-store';
import { parseEnvironment, uploadEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { createUpload } from './create-upload.ts';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(uploadEnvironment);
const table = openTable(environment.TABLE_NAME);
const ticketing = {
  ...openAttachmentGate(environment),
  ...openAuthentication(table),
  organizations: openOrganizationStore(table),
  uploads: openUploadStore(environment),
  dayQuotas: openDayQuotaStore(table),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
};

export const handler = serve(endpoint, ticketing, createUpload);
