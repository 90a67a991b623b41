import * as z from 'zod/mini';
import { highestMaxCount } from '#shared/config/attachment-environment';
import { type UploadId, uploadByteLength, uploadIdSchema } from '#shared/tokens/resource-id';
import { base64ByteLength } from './base64.ts';
import { contentTypeFault } from './content-type.ts';
import { fileNameFault } from './file-name.ts';

/** An attachment as the caller gave it. Its form is checked, its content not yet. */
export type Attachment = {
  readonly filename: string;
  readonly contentType: string | undefined;
  readonly content: AttachmentContent;
};

/** Inside the request, or uploaded before it. */
export type AttachmentContent =
  | { readonly kind: 'inline'; readonly base64: string }
  | { readonly kind: 'upload'; readonly uploadId: UploadId };

/** An attachment ready to go out. */
export type OutgoingAttachment = {
  readonly filename: string;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
};

/**
 * How many entries of a list are read. Every deployment allows fewer (`ATTACHMENTS_MAX_COUNT`), so a list
 * with this many entries is always refused. The rest of it need not be read.
 */
const maxListed = highestMaxCount + 1;

const withoutFault = (faultOf: (text: string) => string | undefined) =>
  z.string().check(
    z.superRefine((text, context) => {
      const message = faultOf(text);
      if (message !== undefined) context.addIssue(message);
    }),
  );

/** To ignore these fields would send an email that the caller does not mean. */
const notInline = z.exactOptional(
  z.never({ error: 'attachments inside the HTML are not supported' }),
);

export const fileNameSchema = withoutFault(fileNameFault);
export const contentTypeSchema = withoutFault(contentTypeFault);

const attachmentSchema = z.pipe(
  z.object({
    filename: fileNameSchema,
    contentBase64: z.optional(z.string()),
    uploadId: z.optional(uploadIdSchema),
    contentType: z.optional(contentTypeSchema),
    ...{ contentId: notInline, content_id: notInline, cid: notInline, disposition: notInline },
  }),
  z.transform(({ filename, contentType, contentBase64, uploadId }, context): Attachment => {
    const content = contentOf(contentBase64, uploadId);
    if (content !== undefined) return { filename, contentType, content };
    const message = 'give either contentBase64 or the uploadId of an upload';
    context.issues.push({ code: 'custom', path: ['contentBase64'], message, input: contentBase64 });
    return z.NEVER;
  }),
);

/** Answers `undefined` unless exactly one of the two is given. */
function contentOf(base64?: string, uploadId?: UploadId): AttachmentContent | undefined {
  if (base64 !== undefined && uploadId !== undefined) return undefined;
  if (base64 !== undefined) return { kind: 'inline', base64 };
  return uploadId && { kind: 'upload', uploadId };
}

/** The `attachments` of a send request. */
export const attachmentListSchema = z.pipe(
  z.transform((list: unknown) => (Array.isArray(list) ? list.slice(0, maxListed) : list)),
  z.array(attachmentSchema),
);

/** Decoded, in bytes; `undefined` when it can't be decoded. */
export const byteLengthOf = ({ content }: Attachment): number | undefined =>
  content.kind === 'inline' ? base64ByteLength(content.base64) : uploadByteLength(content.uploadId);
