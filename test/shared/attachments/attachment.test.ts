import { describe, expect, it } from 'vitest';
import { attachmentListSchema } from '#shared/attachments/attachment';
import { attachmentEnvironment, highestMaxCount } from '#shared/config/environment';
import { readFields } from '#shared/errors/field-error';
import { newOrganizationId, newUploadId } from '#shared/tokens/resource-id';
import { buildAttachmentField } from '../../support/attachment-builder.ts';

const entries = (count: number) =>
  Array.from({ length: count }, () => ({ filename: 'a.txt', contentBase64: 'YQ==' }));

describe('a list of attachments', () => {
  it('is read as far as the most generous deployment needs to refuse it', () => {
    const read = attachmentListSchema.parse(entries(1_000));

    const maxAllowed = attachmentEnvironment.shape.ATTACHMENTS_MAX_COUNT.parse(highestMaxCount);
    expect(read).toHaveLength(maxAllowed + 1);
  });

  it('is read whole when a deployment may allow it', () => {
    expect(attachmentListSchema.parse(entries(highestMaxCount))).toHaveLength(highestMaxCount);
  });
});

describe('an attachment', () => {
  const uploadId = newUploadId(newOrganizationId(), 3);
  const pathsOf = (list: readonly unknown[]) =>
    readFields(attachmentListSchema, list).errors.map(({ path }) => path);

  const url = 'https://files.example.com/a.pdf';

  it('has its content, an upload or a URL, and only one of them', () => {
    const { contentBase64: _content, ...bare } = buildAttachmentField();
    const one = [
      { ...bare, uploadId },
      { ...bare, url },
    ];
    const none = [bare, buildAttachmentField({ uploadId }), buildAttachmentField({ url })];

    expect(pathsOf(one)).toEqual([]);
    expect(pathsOf([...none, { ...bare, uploadId, url }])).toEqual(
      [0, 1, 2, 3].map((index) => `${index}.contentBase64`),
    );
  });

  it('has a file name, unless its URL gives it', () => {
    expect(pathsOf([{ url }])).toEqual([]);
    expect(pathsOf([{ uploadId }, { contentBase64: '' }])).toEqual(['0.filename', '1.filename']);
  });

  it.each(['', `https://example.com/${'a'.repeat(4_096)}`])('is at no URL like %j', (hostile) => {
    expect(pathsOf([{ url: hostile }])).toEqual(['0.url']);
  });

  it.each(['logo', 'logo@example.com', 'ii_0.~+=A-9', 'a'.repeat(78)])(
    'may be named %s in the HTML',
    (contentId) => {
      expect(pathsOf([buildAttachmentField({ contentId })])).toEqual([]);
    },
  );

  it.each([
    '',
    'a'.repeat(79),
    'cid:logo',
    '<logo>',
    'lo go',
    'logo\r\nBcc: eve@example.com',
    'logo\n',
    'lögo',
    'logo"',
    'logo%0d%0a',
    'logo\u0000',
    7,
  ])('is not named %j in the HTML', (contentId) => {
    expect(pathsOf([buildAttachmentField({ contentId })])).toEqual(['0.contentId']);
  });

  it('shares its name in the HTML with no other', () => {
    const list = ['a', 'b', 'a', undefined, 'A', undefined, 'a'].map((contentId) =>
      buildAttachmentField({ contentId }),
    );

    expect(pathsOf(list)).toEqual(['2.contentId', '6.contentId']);
  });

  it.each(['content_id', 'cid', 'disposition'])('has no field %s', (name) => {
    expect(pathsOf([buildAttachmentField({ [name]: 'inline' })])).toEqual([`0.${name}`]);
  });
});

describe('ATTACHMENTS_MAX_COUNT', () => {
  it('stays below what is read of a list', () => {
    const { ATTACHMENTS_MAX_COUNT } = attachmentEnvironment.shape;

    expect(ATTACHMENTS_MAX_COUNT.safeParse(highestMaxCount + 1).success).toBe(false);
  });
});
