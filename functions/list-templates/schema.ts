import * as z from 'zod/mini';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { templateSummarySchema } from '#shared/templates/template-list-store';

/** Query of GET /api/v1/templates. */
export const querySchema = z.strictObject(pageQueryFields);
export type ListTemplatesQuery = z.infer<typeof querySchema>;

/** Response 200. The bodies are read one template at a time. */
export const responseSchema = pageSchema(templateSummarySchema);
