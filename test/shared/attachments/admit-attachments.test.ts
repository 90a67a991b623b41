import { describe, expect, it } from 'vitest';
import { type AttachmentReport, admitAttachments } from '#shared/attachments/admit-attachments';
import { megabyte } from '#shared/attachments/attachment-rejection';
import type { Entitlement } from '#shared/attachments/entitlement-service';
import { newOrganizationId, newUploadId, type UploadId } from '#shared/tokens/resource-id';
import {
  base64OfLength,
  buildAttachmentField,
  buildAttachments,
} from '../../support/attachment-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const limits = { maxCount: 5, maxTotalBytes: 10 * megabyte };
const now = 1_750_000_000_000;

/** Checks attachments of an organization whose plan has them, unless the entitlement says otherwise. */
function prepare(
  fields: readonly Readonly<Record<string, unknown>>[],
  entitlement: Entitlement = { allowed: true },
  organization = buildOrganization(),
) {
  const reports: AttachmentReport[] = [];
  const asked: unknown[] = [];
  const rules = {
    attachmentLimits: limits,
    urlPolicy: { allowLoopbackHttp: false },
    checkEntitlement: async (...question: readonly unknown[]) => {
      asked.push(question);
      return entitlement;
    },
  };
  const run = () =>
    admitAttachments(buildAttachments(...fields), organization, now, rules, (report) =>
      reports.push(report),
    );
  return { run, reports, asked, organization };
}

const files = (count: number) => Array.from({ length: count }, () => buildAttachmentField());
const ofBytes = (...lengths: readonly number[]) =>
  lengths.map((length) => ({ contentBase64: base64OfLength(length) }));
const invalid = { contentBase64: 'Zg' };

describe('admitAttachments', () => {
  it('asks and tells nothing of a request without attachments', async () => {
    const { run, reports, asked } = prepare([], { allowed: false });

    await run();

    expect([reports, asked]).toEqual([[], []]);
  });

  it.each([
    ['5 files', files(5)],
    ['10 MB in one', ofBytes(10 * megabyte)],
    ['10 MB in three', ofBytes(4 * megabyte, 6 * megabyte - 1, 1)],
    ['an empty file', ofBytes(0)],
  ])('admits %s', async (_what, fields) => {
    const { run, reports } = prepare(fields);

    await run();

    expect(reports.map(({ outcome }) => outcome)).toEqual(['check', 'allowed']);
  });

  it.each([
    ['too_many', '6 files', files(6), 'attachments'],
    ['too_large', 'one byte more than 10 MB', ofBytes(10 * megabyte + 1), 'attachments'],
    ['too_large', 'it in several files', ofBytes(5 * megabyte, 5 * megabyte, 1), 'attachments'],
    ['invalid_base64', 'bad base64', [{}, invalid], 'attachments.1.contentBase64'],
    [
      'invalid_base64',
      'bad base64 at the end of 4 MB',
      [{ contentBase64: `${base64OfLength(4 * megabyte).slice(0, -1)}?` }],
      'attachments.0.contentBase64',
    ],
  ])('refuses as %s %s', async (reason, _what, fields, path) => {
    const { run, reports } = prepare(fields);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe(reason);
    expect(error.errors).toEqual([{ path, message: expect.any(String) }]);
    expect(reports).toMatchObject([{ outcome: 'check' }, { outcome: 'rejected', reason }]);
  });

  it('names every attachment that is no base64', async () => {
    const { run } = prepare([invalid, {}, invalid]);

    const error = await serviceErrorOf(run);

    expect(error.errors?.map(({ path }) => path)).toEqual([
      'attachments.0.contentBase64',
      'attachments.2.contentBase64',
    ]);
  });

  it('looks at plan, number, encoding and size in this order', async () => {
    const tooLarge = ofBytes(10 * megabyte + 1);
    const codes = [];
    for (const [fields, entitlement] of [
      [[...tooLarge, ...files(5), invalid], { allowed: false }],
      [[...tooLarge, ...files(5), invalid], { allowed: true }],
      [[...tooLarge, invalid], { allowed: true }],
      [tooLarge, { allowed: true }],
    ] as const) {
      codes.push((await serviceErrorOf(prepare(fields, entitlement).run)).code);
    }

    expect(codes).toEqual(['plan_required', 'too_many', 'invalid_base64', 'too_large']);
  });

  it("refuses an upload of another organization, and allows the organization's own", async () => {
    const { organization } = prepare([]);
    const own = newUploadId(organization.id, 5);
    const foreign = newUploadId(newOrganizationId(), 5);
    const upload = (uploadId: UploadId) => ({ uploadId, contentBase64: undefined });
    const prepared = prepare([{}, upload(own), upload(foreign)], { allowed: true }, organization);

    const error = await serviceErrorOf(prepared.run);

    expect(error.code).toBe('unknown_upload');
    expect(error.errors?.map(({ path }) => path)).toEqual(['attachments.2.uploadId']);
    expect(prepared.reports.map(({ outcome }) => outcome)).toEqual(['check']);
    const ownOnly = prepare([upload(own)], { allowed: true }, organization);
    expect(await ownOnly.run()).toEqual({ count: 1, totalBytes: 5 });
  });

  it.each(['no url', 'http://127.0.0.1:8080/a.pdf', 'https://169.254.169.254/latest/meta-data/'])(
    'refuses %s, before anything is claimed or fetched',
    async (hostile) => {
      const url = (text: string) => ({ contentBase64: undefined, url: text });
      const { run } = prepare([url('https://example.com/a'), url(hostile), {}, url(hostile)]);

      const error = await serviceErrorOf(run);

      expect(error.code).toBe('validation_failed');
      expect(error.errors?.map(({ path }) => path)).toEqual([
        'attachments.1.url',
        'attachments.3.url',
      ]);
    },
  );

  it('counts files behind URLs, though not their bytes', async () => {
    const { run } = prepare([{ contentBase64: undefined, url: 'https://example.com/a' }, {}]);

    expect(await run()).toEqual({ count: 2, totalBytes: 5 });
  });

  it('counts nothing of what cannot be decoded', async () => {
    const { run, reports } = prepare([...ofBytes(3), invalid]);

    await serviceErrorOf(run);

    expect(reports[0]).toMatchObject({ count: 2, totalBytes: 3 });
  });

  it('tells number, decoded size and the preview of the plan', async () => {
    const preview = { title: 'Upgrade' };
    const { run, reports, organization } = prepare(ofBytes(3, 4), { allowed: true, preview });

    await run();

    const facts = { organizationId: organization.id, count: 2, totalBytes: 7 };
    expect(reports).toEqual([
      { ...facts, outcome: 'check' },
      { ...facts, outcome: 'allowed', preview },
    ]);
  });

  it('refuses without a time to retry when the plan has no attachments', async () => {
    const error = await serviceErrorOf(prepare(files(1), { allowed: false }).run);

    expect(error).toMatchObject({ code: 'plan_required', retryAfterSeconds: undefined });
  });

  it('refuses, and tells why, when the plan could not be asked for', async () => {
    const failure = new Error('no answer');
    const { run, reports } = prepare(files(1), { allowed: false, failure });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('plan_required');
    expect(error.message).toContain('Retry later');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(reports.at(-1)).toMatchObject({ reason: 'plan_required', failure });
  });
});
