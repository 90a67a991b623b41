import * as z from 'zod';
import { base64ByteLength } from './base64.ts';
import { contentTypeFault } from './content-type.ts';
import { fileNameFault } from './file-name.ts';

/** An attachment as the caller gave it: its form is checked, its content not yet. */
export type Attachment = {
  readonly filename: string;
  readonly contentType: string | undefined;
  readonly content: { readonly kind: 'inline'; readonly base64: string };
};

/** An attachment ready to go out. */
export type OutgoingAttachment = {
  readonly filename: string;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
};

/** So many are looked at; any more are too many, whatever they are (`ATTACHMENTS_MAX_COUNT` is below). */
const maxListed = 100;
export const highestMaxCount = maxListed - 1;

const withoutFault = (faultOf: (text: string) => string | undefined) =>
  z.string().superRefine((text, context) => {
    const message = faultOf(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** To ignore these would show an email other than the caller means. */
const notInline = z
  .undefined({ error: 'attachments inside the HTML are not supported' })
  .optional();

const attachmentSchema = z
  .object({
    filename: withoutFault(fileNameFault),
    contentBase64: z.string(),
    contentType: withoutFault(contentTypeFault).optional(),
    ...{ contentId: notInline, content_id: notInline, cid: notInline, disposition: notInline },
  })
  .transform(
    ({ filename, contentType, contentBase64 }): Attachment => ({
      filename,
      contentType,
      content: { kind: 'inline', base64: contentBase64 },
    }),
  );

/** The `attachments` of a send request. */
export const attachmentListSchema = z
  .array(z.unknown())
  .transform((list) => list.slice(0, maxListed))
  .pipe(z.array(attachmentSchema));

/** Decoded, in bytes; `undefined` when it can't be decoded. */
export const byteLengthOf = ({ content }: Attachment): number | undefined =>
  base64ByteLength(content.base64);

/** Decodes what `byteLengthOf` has found decodable: the one copy that is made of the content. */
export const decode = ({ filename, contentType, content }: Attachment): OutgoingAttachment => ({
  filename,
  contentType,
  bytes: Buffer.from(content.base64, 'base64'),
});
