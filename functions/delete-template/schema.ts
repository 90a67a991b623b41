import * as z from 'zod/mini';

/** Response 204 of DELETE /api/v1/templates/{id}: no body. */
export const responseSchema = z.undefined();
