import { describe, expect, it } from 'vitest';
import { attachmentGateOf } from '#shared/attachments/attachment-gate';
import { attachmentEnvironment } from '#shared/config/environment';
import { buildOrganization } from '../../support/organization-builder.ts';

const open = (variables: Readonly<Record<string, string>> = {}) =>
  attachmentGateOf(
    attachmentEnvironment.parse({
      ATTACHMENTS_BUCKET_URL: 'https://uploads.example.com',
      AWS_REGION: 'eu-west-1',
      ...variables,
    }),
  );

describe('the gate of attachments', () => {
  it('lets five through, of 10 MB together, unless told otherwise', () => {
    expect(open().attachmentLimits).toEqual({ maxCount: 5, maxTotalBytes: 10_485_760 });
  });

  it('counts whole bytes of a fraction of a megabyte', () => {
    const { attachmentLimits } = open({
      ATTACHMENTS_MAX_COUNT: '2',
      ATTACHMENTS_MAX_TOTAL_MB: '0.3',
    });

    expect(attachmentLimits).toEqual({ maxCount: 2, maxTotalBytes: 314_572 });
  });

  it.each([true, false])("asks the organization's own setting: %s", async (attachmentsEnabled) => {
    const { checkEntitlement } = open();

    const entitlement = await checkEntitlement(buildOrganization({ attachmentsEnabled }), 0);

    expect(entitlement).toEqual({ allowed: attachmentsEnabled });
  });

  it('does not open with an entitlement service and no secret for it', () => {
    expect(() => open({ ENTITLEMENTS_URL: 'https://plans.example.com/check' })).toThrow(
      'ENTITLEMENTS_SECRET_ID',
    );
  });
});
