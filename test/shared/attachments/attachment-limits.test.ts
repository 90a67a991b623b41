import { describe, expect, it } from 'vitest';
import { attachmentLimitsOf } from '#shared/attachments/attachment-limits';
import { attachmentEnvironment } from '#shared/config/environment';

const limitsOf = (variables: Readonly<Record<string, string>> = {}) =>
  attachmentLimitsOf(
    attachmentEnvironment.parse({
      ATTACHMENTS_BUCKET_URL: 'https://uploads.example.com',
      AWS_REGION: 'eu-west-1',
      ...variables,
    }),
  );

describe('the limits of attachments', () => {
  it('are five, of 10 MB together, unless set otherwise', () => {
    expect(limitsOf()).toEqual({ maxCount: 5, maxTotalBytes: 10_485_760 });
  });

  it('count whole bytes of a fraction of a megabyte', () => {
    const limits = limitsOf({ ATTACHMENTS_MAX_COUNT: '2', ATTACHMENTS_MAX_TOTAL_MB: '0.3' });

    expect(limits).toEqual({ maxCount: 2, maxTotalBytes: 314_572 });
  });
});
