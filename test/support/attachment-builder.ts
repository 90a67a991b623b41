import { type Attachment, attachmentListSchema } from '#shared/attachments/attachment';

/** A field of `attachments` in a body: a text of five bytes unless told otherwise. */
export const buildAttachmentField = (
  fields: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  filename: 'notes.txt',
  contentBase64: Buffer.from('Hello').toString('base64'),
  ...fields,
});

/** The attachments as a request's parser reads them. */
export const buildAttachments = (
  ...fields: readonly Readonly<Record<string, unknown>>[]
): readonly Attachment[] => attachmentListSchema.parse(fields.map(buildAttachmentField));

/** The base64 text of so many bytes, none of which is zero. */
export const base64OfLength = (byteLength: number): string =>
  Buffer.alloc(byteLength, 'attachment').toString('base64');
