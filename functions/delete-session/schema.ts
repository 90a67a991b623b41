import { noBody } from '#shared/http/response-body';

/** Response 204: the cookie is cleared. */
export const responseSchema = noBody;
