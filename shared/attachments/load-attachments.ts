import { ServiceError } from '#shared/errors/service-error';
import type { Attachment, OutgoingAttachment } from './attachment.ts';
import type { UploadStore } from './upload-store.ts';

/**
 * Decodes inline attachments and fetches uploaded ones.
 *
 * @throws ServiceError `unknown_upload` when an upload never arrived or is gone.
 */
export const loadAttachments = (
  attachments: readonly Attachment[],
  fetchUpload: UploadStore['fetchUpload'],
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

/** For an upload that doesn't exist, or belongs to another organization. */
export function unknownUpload(index: number): ServiceError {
  const message = 'no such upload, or it has expired: uploads are kept for a day';
  return new ServiceError('unknown_upload', 'An attachment names an upload that is not there.', {
    errors: [{ path: `attachments.${index}.uploadId`, message }],
  });
}
