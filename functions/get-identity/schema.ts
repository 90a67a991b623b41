import { identityViewSchema } from '#shared/identity/identity-view';

/** Response 200 of GET /api/v1/organization/identity. */
export const responseSchema = identityViewSchema;
