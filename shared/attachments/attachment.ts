import * as z from 'zod/mini';
import { highestMaxCount } from '#shared/config/environment';
import { acrossFields } from '#shared/errors/across-fields';
import { type UploadId, uploadByteLength, uploadIdSchema } from '#shared/tokens/resource-id';
import { base64ByteLength } from './base64.ts';
import { contentTypeFault } from './content-type.ts';
import { fileNameFault } from './file-name.ts';

// How many attachments an email may have, and how large: `config/environment.ts`.

/** As the caller gave it: its form is checked, its content isn't yet. */
export type Attachment = {
  readonly filename: string;
  readonly contentType: string | undefined;
  readonly content: AttachmentContent;
};

/** Inside the request, or uploaded beforehand. */
export type AttachmentContent =
  | { readonly kind: 'inline'; readonly base64: string }
  | { readonly kind: 'upload'; readonly uploadId: UploadId };

export type OutgoingAttachment = {
  readonly filename: string;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
};

/**
 * How many entries of a list are read. Every deployment allows fewer (`ATTACHMENTS_MAX_COUNT`), so a list this long is
 * always refused and the rest needn't be read.
 */
const maxListed = highestMaxCount + 1;

const withoutFault = (faultOf: (text: string) => string | undefined) =>
  z.string().check(
    z.superRefine((text, context) => {
      const message = faultOf(text);
      if (message !== undefined) context.addIssue(message);
    }),
  );

export const fileNameSchema = withoutFault(fileNameFault);
export const contentTypeSchema = withoutFault(contentTypeFault);

const attachmentSchema = z.pipe(
  z
    .strictObject({
      filename: fileNameSchema,
      contentBase64: z.optional(z.string()),
      uploadId: z.optional(uploadIdSchema),
      contentType: z.optional(contentTypeSchema),
    })
    .check(
      z.refine(
        ({ contentBase64, uploadId }) => (contentBase64 === undefined) !== (uploadId === undefined),
        {
          path: ['contentBase64'],
          error: 'give either contentBase64 or the uploadId of an upload',
          ...acrossFields,
        },
      ),
    ),
  z.transform(
    ({ filename, contentType, contentBase64 = '', uploadId }): Attachment => ({
      filename,
      contentType,
      content:
        uploadId === undefined
          ? { kind: 'inline', base64: contentBase64 }
          : { kind: 'upload', uploadId },
    }),
  ),
);

export const attachmentListSchema = z.pipe(
  z.transform((list: unknown) => (Array.isArray(list) ? list.slice(0, maxListed) : list)),
  z.array(attachmentSchema),
);

/** In bytes; `undefined` if it can't be decoded. */
export const byteLengthOf = ({ content }: Attachment): number | undefined =>
  content.kind === 'inline' ? base64ByteLength(content.base64) : uploadByteLength(content.uploadId);
