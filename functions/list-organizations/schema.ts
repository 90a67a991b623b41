import * as z from 'zod/mini';
import { operatorHeadersSchema } from '#shared/http/shared-secret';
import { organizationViewSchema } from '#shared/organizations/organization-view';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';

export const headersSchema = operatorHeadersSchema;

/** Query of GET /api/v1/organizations. */
export const querySchema = z.strictObject(pageQueryFields);
export type ListOrganizationsQuery = z.infer<typeof querySchema>;

/** Response 200: organizations, newest first. */
export const responseSchema = pageSchema(organizationViewSchema);
