import { noBody } from '#shared/http/response-body';

/** Response 204 of DELETE /api/v1/organization/identity. */
export const responseSchema = noBody;
