import { ServiceError } from '#shared/errors/service-error';
import type { Attachment, OutgoingAttachment } from './attachment.ts';
import type { FetchUpload } from './upload.ts';

/**
 * Decodes what came inside the request, once, and fetches what was uploaded.
 *
 * @throws ServiceError `unknown_upload` when an upload never came or is gone.
 */
export const loadAttachments = (
  attachments: readonly Attachment[],
  fetchUpload: FetchUpload,
): Promise<OutgoingAttachment[]> =>
  Promise.all(
    attachments.map(async ({ filename, contentType, content }, index) => {
      if (content.kind === 'inline') {
        return { filename, contentType, bytes: Buffer.from(content.base64, 'base64') };
      }
      const uploaded = await fetchUpload(content.uploadId);
      if (uploaded === undefined) throw unknownUpload(index);
      return {
        filename,
        contentType: contentType ?? uploaded.contentType,
        bytes: uploaded.bytes,
      };
    }),
  );

/** Another organization's upload is as unknown as one that does not exist. */
export function unknownUpload(index: number): ServiceError {
  const message = 'no such upload, or it has expired: uploads are kept for a day';
  return new ServiceError('unknown_upload', 'An attachment names an upload that is not there.', {
    errors: [{ path: `attachments.${index}.uploadId`, message }],
  });
}
