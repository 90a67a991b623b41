import {
  createAttachmentDependencies,
  openUploadStore,
} from '#shared/attachments/attachment-dependencies';
import { uploadEnvironment } from '#shared/config/attachment-environment';
import { parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/request-body';
import { openApiKeyStore } from '#shared/organizations/api-key-store';
import { getOrganization } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { type CreateUploadDependencies, createUpload } from './create-upload.ts';
import { requestSchema, responseSchema } from './schema.ts';

const environment = parseEnvironment(uploadEnvironment);
const table = openTable(environment.TABLE_NAME);
const dependencies: CreateUploadDependencies = {
  ...createAttachmentDependencies(environment),
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  getOrganization: (id) => getOrganization(table, id),
  issueTicket: openUploadStore(environment).issueTicket,
};

export const handler = jsonEndpoint(async ({ body, headers }) => {
  const ticket = await createUpload(
    presentedCredential(headers),
    () => parseBody(requestSchema, body),
    dependencies,
  );
  return createdResponse(responseSchema.parse(ticket));
});
