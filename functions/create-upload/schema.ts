import * as z from 'zod/mini';
import { contentTypeSchema, fileNameSchema } from '#shared/attachments/attachment';
import { uploadIdSchema } from '#shared/tokens/resource-id';

/** Body of POST /api/v1/attachments. `size` is in bytes. What is put must have exactly so many. */
export const requestSchema = z.strictObject({
  filename: fileNameSchema,
  contentType: z._default(contentTypeSchema, 'application/octet-stream'),
  size: z.int().check(z.positive()),
});
export type CreateUploadRequest = z.infer<typeof requestSchema>;

/**
 * Response 201: where to put the bytes until `expiresAt` (epoch milliseconds), and under which headers.
 * `shared/attachments/upload-store.ts` says how long that is.
 */
export const responseSchema = z.object({
  uploadId: uploadIdSchema,
  url: z.url(),
  method: z.literal('PUT'),
  headers: z.record(z.string(), z.string()),
  expiresAt: z.int(),
});
