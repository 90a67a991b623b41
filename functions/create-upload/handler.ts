import { openDayQuotaStore } from '#shared/access/day-quota-store';
import { openAttachmentGate } from '#shared/attachments/attachment-gate';
import { openUploadTickets } from '#shared/attachments/upload-store';
import { serve } from '#shared/endpoints/serve';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { createUpload } from './create-upload.ts';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  (table, environment) => ({
    ...openAttachmentGate(environment),
    organizations: openOrganizationStore(table),
    uploads: openUploadTickets(environment),
    dayQuotas: openDayQuotaStore(table),
  }),
  createUpload,
);
