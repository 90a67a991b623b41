import { describe, expect, it } from 'vitest';
import type { Entitlement } from '#shared/attachments/entitlement';
import { parseBody } from '#shared/http/parse-request';
import { newUploadId, organizationIdOf, uploadByteLength } from '#shared/tokens/resource-id';
import { createUpload } from '../../../functions/create-upload/create-upload.ts';
import { requestSchema } from '../../../functions/create-upload/schema.ts';
import { buildApiKey, fakeApiKeys } from '../../support/api-key-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';

const now = 1_750_000_000_000;
const limit = 10 * 1024 * 1024;

type Scenario = {
  readonly body?: unknown;
  readonly key?: Parameters<typeof buildApiKey>[0];
  readonly credential?: string;
  readonly entitlement?: Entitlement;
};

/** Asks for a ticket for a file of 7 bytes, with a key without scopes, of a plan with attachments. */
function prepare({ body, key, credential, entitlement = { allowed: true } }: Scenario = {}) {
  const { text, apiKey } = buildApiKey(key);
  const organization = buildOrganization({ id: organizationIdOf(apiKey.id) });
  const parse = () =>
    parseBody(
      requestSchema,
      body ?? { filename: 'a.pdf', contentType: 'application/pdf', size: 7 },
    );
  const run = () =>
    createUpload(credential ?? text, parse, {
      now: () => now,
      apiKeys: fakeApiKeys([apiKey]),
      organizations: { get: async () => organization },
      attachmentLimits: { maxCount: 5, maxTotalBytes: limit },
      checkEntitlement: async () => entitlement,
      uploads: {
        fetchUpload: unexpected('uploads.fetchUpload'),
        issueTicket: async (uploadId, contentType, at) => ({
          ...{ uploadId, url: 'https://s3.example.com', method: 'PUT', expiresAt: at },
          headers: { 'content-type': contentType },
        }),
      },
    });
  return { run, organization };
}

const sized = (size: unknown) => ({ filename: 'a.pdf', size });

describe('createUpload', () => {
  it('answers a ticket whose id names the organization and the size', async () => {
    const { run, organization } = prepare();

    const ticket = await run();

    expect(organizationIdOf(ticket.uploadId)).toBe(organization.id);
    expect(uploadByteLength(ticket.uploadId)).toBe(7);
    expect(ticket.headers).toEqual({ 'content-type': 'application/pdf' });
  });

  it('takes a file of the limit, but not one of a byte more', async () => {
    const atLimit = await prepare({ body: sized(limit) }).run();
    const above = await serviceErrorOf(prepare({ body: sized(limit + 1) }).run);

    expect(uploadByteLength(atLimit.uploadId)).toBe(limit);
    expect(above.code).toBe('too_large');
  });

  it.each<[string, Scenario]>([
    ['invalid_api_key', { credential: 'nonsense', body: {} }],
    ['missing_scope', { key: { scopes: ['read_sends'] }, body: {} }],
    ['validation_failed', { body: {} }],
    ['validation_failed', { body: sized(0) }],
    ['validation_failed', { body: sized(1.5) }],
    ['validation_failed', { body: { ...sized(1), filename: 'run.exe' } }],
    ['validation_failed', { body: { ...sized(1), contentType: 'pdf' } }],
    ['plan_required', { entitlement: { allowed: false } }],
  ])('refuses as %s %j', async (code, scenario) => {
    const error = await serviceErrorOf(prepare(scenario).run);

    expect(error.code).toBe(code);
  });
});

describe('an upload id', () => {
  it.each([1, 31, 32, 1_048_577, limit, 2 ** 30 - 1])('tells a size of %i bytes', (size) => {
    expect(uploadByteLength(newUploadId(buildOrganization().id, size))).toBe(size);
  });
});
