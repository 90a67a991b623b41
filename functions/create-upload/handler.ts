import { openApiKeyStore } from '#shared/access/api-key-store';
import { openAttachmentGate } from '#shared/attachments/attachment-gate';
import { openUploadBytesStore } from '#shared/attachments/upload-bytes-store';
import { openUploadStore } from '#shared/attachments/upload-store';
import { parseEnvironment, uploadEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { createUpload, type UploadTicketing } from './create-upload.ts';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(uploadEnvironment);
const table = openTable(environment.TABLE_NAME);
const ticketing: UploadTicketing = {
  ...openAttachmentGate(environment),
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  organizations: openOrganizationStore(table),
  uploads: openUploadStore(environment),
  uploadBytes: openUploadBytesStore(table),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
};

export const handler = jsonEndpoint(async ({ readBody, headers }) => {
  const ticket = await createUpload(
    presentedCredential(headers),
    () => parseBody(endpoint.body, readBody()),
    ticketing,
  );
  return createdResponse(endpoint.answers[201].body.parse(ticket));
});
