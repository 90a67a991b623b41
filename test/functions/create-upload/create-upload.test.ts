import { describe, expect, it } from 'vitest';
import type { Entitlement } from '#shared/attachments/entitlement-service';
import { parseFields } from '#shared/errors/field-error';
import { newUploadId, organizationIdOf, uploadByteLength } from '#shared/tokens/resource-id';
import {
  endpoint as createUpload,
  endpoint,
  type UploadTicketing,
} from '../../../functions/create-upload/create-upload.ts';
import { fakeDayQuotas } from '../../support/day-quota-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const now = 1_750_000_000_000;
const limit = 10 * 1024 * 1024;

type Scenario = {
  readonly body?: unknown;
  readonly entitlement?: Entitlement;
  /** What the organization may still upload today, and at all. */
  readonly room?: number;
  readonly uploadBytesPerDay?: number;
  readonly key?: { readonly test: true };
};

/** Asks for a ticket for a file of 7 bytes, in a plan with attachments. */
function prepare(scenario: Scenario = {}) {
  const { body, entitlement = { allowed: true } } = scenario;
  const { room = Infinity, uploadBytesPerDay = 2 * limit } = scenario;
  const counted: (readonly [id: string, quota: string, size: number, most: number])[] = [];
  const { caller: manager } = buildManager();
  const caller = { ...manager, apiKey: { ...manager.apiKey, ...scenario.key } };
  const organization = buildOrganization({
    id: caller.organizationId,
    limits: { uploadBytesPerDay },
  });
  const given = body ?? { filename: 'a.pdf', contentType: 'application/pdf', size: 7 };
  const ticketing: UploadTicketing = {
    now: () => now,
    organizations: { get: async () => organization },
    attachmentLimits: { maxCount: 5, maxTotalBytes: limit },
    checkEntitlement: async () => entitlement,
    ...fakeDayQuotas({
      take: async (id, quota, size, most) => {
        counted.push([id, quota, size, most]);
        return size <= room;
      },
    }),
    uploads: {
      issueTicket: async (uploadId, contentType, at) => ({
        ...{ uploadId, url: 'https://s3.example.com', method: 'PUT', expiresAt: at },
        headers: { 'content-type': contentType },
      }),
    },
  };
  const run = async () =>
    createUpload.run(
      { ...surroundings, caller, body: parseFields(endpoint.body, given) },
      ticketing,
    );
  return { run, organization, counted };
}

const sized = (size: unknown) => ({ filename: 'a.pdf', size });

describe('createUpload', () => {
  it('returns a ticket whose id names the organization and the size', async () => {
    const { run, organization } = prepare();

    const ticket = await run();

    expect(organizationIdOf(ticket.uploadId)).toBe(organization.id);
    expect(uploadByteLength(ticket.uploadId)).toBe(7);
    expect(ticket.headers).toEqual({ 'content-type': 'application/pdf' });
  });

  it('accepts a file of the maximum size, but not one byte more', async () => {
    const atLimit = await prepare({ body: sized(limit) }).run();
    const above = await serviceErrorOf(prepare({ body: sized(limit + 1) }).run);

    expect(uploadByteLength(atLimit.uploadId)).toBe(limit);
    expect(above.code).toBe('too_large');
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
  ])('refuses as %s %j', async (code, scenario) => {
    const { run, counted } = prepare(scenario);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe(code);
    expect(counted).toEqual([]);
  });

  it("counts the bytes to upload towards the organization's limit", async () => {
    const { run, organization, counted } = prepare({ uploadBytesPerDay: 700 });

    await run();

    expect(counted).toEqual([[organization.id, 'UPLOADS', 7, 700]]);
  });

  it("counts a test key's bytes separately", async () => {
    const { run, counted } = prepare({ key: { test: true }, uploadBytesPerDay: 700 });

    await run();

    expect(counted).toEqual([[expect.anything(), 'TEST_UPLOADS', 7, 700]]);
  });

  it("refuses a file that exceeds today's limit until midnight", async () => {
    const error = await serviceErrorOf(prepare({ room: 6, uploadBytesPerDay: 700 }).run);

    expect(error.code).toBe('upload_limit_reached');
    expect(error.message).toContain('may upload 700 bytes a day (UTC), and 7 more');
    expect(error.retryAfterSeconds).toBe(86_400 - ((now / 1_000) % 86_400));
  });
});

describe('an upload id', () => {
  it.each([1, 31, 32, 1_048_577, limit, 2 ** 30 - 1])('contains a size of %i bytes', (size) => {
    expect(uploadByteLength(newUploadId(buildOrganization().id, size))).toBe(size);
  });
});
