import * as z from 'zod/mini';
import { highestMaxCount } from '#shared/config/environment';
import { cut } from '#shared/errors/bounded';
import { acrossFields } from '#shared/errors/field-error';
import { type UploadId, uploadByteLength, uploadIdSchema } from '#shared/tokens/resource-id';
import { base64ByteLength } from './base64.ts';
import { contentIdFault } from './content-id.ts';
import { contentTypeFault } from './content-type.ts';
import { fileNameFault } from './file-name.ts';

/** Its form is checked, its content isn't yet. Limits of number and size: `attachment-limits.ts`. */
export type Attachment = {
  /** Absent only for a URL, which then provides it. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  /** The HTML shows it where it says `cid:` and this. Absent for a file beside the text. */
  readonly contentId: string | undefined;
  readonly content: AttachmentContent;
};

/** Inside the request, uploaded beforehand, or fetched while the email is sent. */
export type AttachmentContent =
  | { readonly kind: 'inline'; readonly base64: string }
  | { readonly kind: 'upload'; readonly uploadId: UploadId }
  | { readonly kind: 'url'; readonly url: string };

export type OutgoingAttachment = {
  readonly filename: string;
  readonly contentType: string | undefined;
  readonly contentId?: string | undefined;
  readonly bytes: Uint8Array;
};

const withoutFault = (faultOf: (text: string) => string | undefined) =>
  z.string().check(
    z.superRefine((text, context) => {
      const message = faultOf(text);
      if (message !== undefined) context.addIssue(message);
    }),
  );

export const fileNameSchema = withoutFault(fileNameFault);
export const contentTypeSchema = withoutFault(contentTypeFault);

/** Signed URLs with a session's token have some 2,000 characters. */
const maxUrlLength = 4_096;

const attachmentFields = {
  filename: z.optional(fileNameSchema),
  contentBase64: z.optional(z.string()),
  uploadId: z.optional(uploadIdSchema),
  /** The admission decides which URLs may be fetched, because that depends on the deployment. */
  url: z.optional(z.string().check(z.minLength(1), z.maxLength(maxUrlLength))),
  contentType: z.optional(contentTypeSchema),
  contentId: z.optional(withoutFault(contentIdFault)),
};
type AttachmentFields = z.output<z.ZodMiniObject<typeof attachmentFields>>;

const attachmentSchema = z.pipe(
  z.strictObject(attachmentFields).check(
    z.refine(({ filename, url }) => filename !== undefined || url !== undefined, {
      path: ['filename'],
      error: 'is required',
      ...acrossFields,
    }),
    z.refine(
      ({ contentBase64, uploadId, url }) =>
        [contentBase64, uploadId, url].filter((given) => given !== undefined).length === 1,
      {
        path: ['contentBase64'],
        error: 'give one of contentBase64, the uploadId of an upload, or a url',
        ...acrossFields,
      },
    ),
  ),
  z.transform(
    ({ filename, contentType, contentId, ...fields }): Attachment => ({
      filename,
      contentType,
      contentId,
      content: contentOf(fields),
    }),
  ),
);

function contentOf({
  contentBase64 = '',
  uploadId,
  url,
}: Omit<AttachmentFields, 'filename' | 'contentType' | 'contentId'>): AttachmentContent {
  if (uploadId !== undefined) return { kind: 'upload', uploadId };
  return url === undefined ? { kind: 'inline', base64: contentBase64 } : { kind: 'url', url };
}

/** No deployment allows more (`ATTACHMENTS_MAX_COUNT`). */
export const attachmentListSchema = cut(
  highestMaxCount,
  z.array(attachmentSchema).check(z.superRefine(checkContentIds)),
);

/** If two images had one name, readers could show either. */
function checkContentIds(list: readonly Attachment[], context: z.core.$RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { contentId }] of list.entries()) {
    if (contentId === undefined) continue;
    if (seen.has(contentId)) {
      const message = 'duplicates the ID of an earlier attachment';
      context.addIssue({ code: 'custom', path: [index, 'contentId'], message });
    }
    seen.add(contentId);
  }
}

/** `undefined` if it can't be decoded. A file behind a URL counts once it is fetched. */
export function byteLengthOf({ content }: Attachment): number | undefined {
  switch (content.kind) {
    case 'inline':
      return base64ByteLength(content.base64);
    case 'upload':
      return uploadByteLength(content.uploadId);
    case 'url':
      return 0;
  }
}
