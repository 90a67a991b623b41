import { organizationSettingsSchema } from '#shared/organizations/organization-settings';

/** Response 200 of GET /api/v1/organization. */
export const responseSchema = organizationSettingsSchema;
