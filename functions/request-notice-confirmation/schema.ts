import { organizationSettingsSchema } from '#shared/organizations/organization-settings';

/** Response 200 of POST /api/v1/organization/notice-email/confirmation. */
export const responseSchema = organizationSettingsSchema;
