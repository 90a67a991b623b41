import { templateSchema } from '#shared/templates/template';

/** Response 200 of GET /api/v1/templates/{id}. */
export const responseSchema = templateSchema;
