import * as z from 'zod/mini';
import { htmlPage } from '#shared/http/response-body';

/** Path of GET /console/preview/{page}: the end of a bulk email, or a page that its links lead to. */
export const pathSchema = z.object({
  page: z.enum(['footer', 'unsubscribe', 'unsubscribed', 'preferences']),
});
export type PreviewName = z.infer<typeof pathSchema>['page'];

/** Response 200. */
export const responseSchema = htmlPage;
