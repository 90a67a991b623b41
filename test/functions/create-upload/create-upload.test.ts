import { describe, expect, it, vi } from 'vitest';
import type { Entitlement } from '#shared/attachments/entitlement-service';
import { parseFields } from '#shared/errors/field-error';
import {
  newOrganizationId,
  newUploadId,
  organizationIdOf,
  uploadByteLength,
} from '#shared/tokens/resource-id';
import {
  endpoint as createUpload,
  endpoint,
} from '../../../functions/create-upload/create-upload.ts';
import { openAccount } from '../../support/account.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const limit = 10 * 1024 * 1024;

const sized = (size: unknown) => ({ filename: 'a.pdf', size });

type Scenario = {
  readonly body?: unknown;
  readonly entitlement?: Entitlement;
  readonly uploadBytesPerDay?: number;
};

/** Asks for a ticket for a file of 7 bytes, in a plan with attachments. */
async function prepare(scenario: Scenario = {}) {
  const { body = sized(7), entitlement = { allowed: true } } = scenario;
  const { uploadBytesPerDay = 2 * limit } = scenario;
  const account = await openAccount({ limits: { uploadBytesPerDay } });
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  const service = {
    ...account,
    rules: {
      attachmentLimits: { maxCount: 5, maxTotalBytes: limit },
      urlPolicy: { allowLoopbackHttp: false },
      checkEntitlement: async () => entitlement,
    },
    bucket: { bucketUrl: 'https://s3.example.com', region: 'eu-west-1' },
  };
  const run = async (key?: { readonly test: true }) => {
    const { caller } = account;
    return createUpload.run(
      {
        ...surroundings,
        caller: { ...caller, apiKey: { ...caller.apiKey, ...key } },
        body: parseFields(endpoint.body, body),
      },
      service,
    );
  };
  return { ...account, run };
}

describe('createUpload', () => {
  it('returns a ticket whose id names the organization and the size', async () => {
    const { run, organizationId } = await prepare({
      body: { ...sized(7), contentType: 'application/pdf' },
    });

    const ticket = await run();

    expect(organizationIdOf(ticket.uploadId)).toBe(organizationId);
    expect(uploadByteLength(ticket.uploadId)).toBe(7);
    expect(ticket.url).toContain(`https://s3.example.com/${organizationId}/${ticket.uploadId}?`);
    expect(ticket.headers).toMatchObject({ 'content-type': 'application/pdf' });
  });

  it('accepts a file of the maximum size, but not one byte more', async () => {
    const atLimit = await prepare({ body: sized(limit) });
    const above = await prepare({ body: sized(limit + 1) });

    const ticket = await atLimit.run();
    const error = await serviceErrorOf(above.run);

    expect(uploadByteLength(ticket.uploadId)).toBe(limit);
    expect(error.code).toBe('too_large');
  });

  it.each<[string, Scenario]>([
    ['validation_failed', { body: {} }],
    ['validation_failed', { body: sized(0) }],
    ['validation_failed', { body: sized(1.5) }],
    ['validation_failed', { body: { ...sized(1), filename: 'run.exe' } }],
    ['validation_failed', { body: { ...sized(1), contentType: 'pdf' } }],
    ['plan_required', { entitlement: { allowed: false } }],
    ['too_large', { body: sized(limit + 1) }],
    ['too_large', { uploadBytesPerDay: 6 }],
  ])('refuses as %s, and counts nothing: %j', async (code, scenario) => {
    const { run, usedOf } = await prepare(scenario);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe(code);
    expect(await usedOf('UPLOADS')).toBe(0);
  });

  it("counts the bytes to upload towards the organization's limit", async () => {
    const { run, usedOf } = await prepare();

    await run();
    await run();

    expect(await usedOf('UPLOADS')).toBe(14);
  });

  it("counts a test key's bytes separately", async () => {
    const { run, usedOf } = await prepare();

    await run({ test: true });

    expect(await usedOf('TEST_UPLOADS')).toBe(7);
    expect(await usedOf('UPLOADS')).toBe(0);
  });

  it("refuses a file that exceeds today's limit until midnight", async () => {
    const { run, usedOf, clock } = await prepare({ uploadBytesPerDay: 13 });
    await run();

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('upload_limit_reached');
    expect(error.message).toContain('may upload 13 bytes a day (UTC), and 7 more');
    expect(error.retryAfterSeconds).toBe(86_400 - ((clock.at / 1_000) % 86_400));
    expect(await usedOf('UPLOADS')).toBe(7);
  });
});

describe('an upload id', () => {
  it.each([1, 31, 32, 1_048_577, limit, 2 ** 30 - 1])('contains a size of %i bytes', (size) => {
    expect(uploadByteLength(newUploadId(newOrganizationId(), size))).toBe(size);
  });
});
