import { preferencesSchema } from '#shared/contacts/preferences';

/** Response 200 of GET /api/v1/preferences?token=…|email=… */
export const responseSchema = preferencesSchema;
