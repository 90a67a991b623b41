import * as z from 'zod/mini';
import { templateSchema } from '#shared/templates/template';
import { templateIdSchema } from '#shared/tokens/resource-id';

/** Path of GET /api/v1/templates/{id}. */
export const pathSchema = z.object({ id: templateIdSchema });

/** Response 200. `ETag` has the version. */
export const responseSchema = templateSchema;
