import { describe, expect, it } from 'vitest';
import { attachmentListSchema } from '#shared/attachments/attachment';
import { attachmentEnvironment, highestMaxCount } from '#shared/config/attachment-environment';

const entries = (count: number) =>
  Array.from({ length: count }, () => ({ filename: 'a.txt', contentBase64: 'YQ==' }));

describe('a list of attachments', () => {
  it('is read as far as the most generous deployment needs to refuse it', () => {
    const read = attachmentListSchema.parse(entries(1_000));

    const mostAllowed = attachmentEnvironment.shape.ATTACHMENTS_MAX_COUNT.parse(highestMaxCount);
    expect(read).toHaveLength(mostAllowed + 1);
  });

  it('is read whole when a deployment may allow it', () => {
    expect(attachmentListSchema.parse(entries(highestMaxCount))).toHaveLength(highestMaxCount);
  });
});

describe('ATTACHMENTS_MAX_COUNT', () => {
  it('stays below what is read of a list', () => {
    const { ATTACHMENTS_MAX_COUNT } = attachmentEnvironment.shape;

    expect(ATTACHMENTS_MAX_COUNT.safeParse(highestMaxCount + 1).success).toBe(false);
  });
});
