import { describe, expect, it } from 'vitest';
import { attachmentListSchema } from '#shared/attachments/attachment';
import { attachmentEnvironment, highestMaxCount } from '#shared/config/environment';
import { toFieldErrors } from '#shared/errors/field-error';
import { newOrganizationId, newUploadId } from '#shared/tokens/resource-id';
import { buildAttachmentField } from '../../support/attachment-builder.ts';

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

describe('an attachment', () => {
  const uploadId = newUploadId(newOrganizationId(), 3);
  const pathsOf = (list: readonly unknown[]) =>
    toFieldErrors(
      attachmentListSchema,
      attachmentListSchema.safeParse(list).error?.issues ?? [],
    ).map(({ path }) => path);

  it('has its content or an upload, and not both', () => {
    const { contentBase64: _content, ...bare } = buildAttachmentField();
    const both = buildAttachmentField({ uploadId });

    expect(pathsOf([{ ...bare, uploadId }])).toEqual([]);
    expect(pathsOf([bare, both])).toEqual(['0.contentBase64', '1.contentBase64']);
  });

  it.each(['contentId', 'content_id', 'cid', 'disposition'])(
    'has no %s, which would be an image inside the HTML',
    (name) => {
      expect(pathsOf([buildAttachmentField({ [name]: 'inline' })])).toEqual([`0.${name}`]);
    },
  );
});

describe('ATTACHMENTS_MAX_COUNT', () => {
  it('stays below what is read of a list', () => {
    const { ATTACHMENTS_MAX_COUNT } = attachmentEnvironment.shape;

    expect(ATTACHMENTS_MAX_COUNT.safeParse(highestMaxCount + 1).success).toBe(false);
  });
});
